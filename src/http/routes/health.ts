import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import type { Server } from '../server/server-type.ts';

const Alive = Type.Object({ status: Type.Literal('success') }, { description: 'It does.' });

/** Resolves when every store answers. Throws UnavailableError when one does not. */
export type AssertReady = () => Promise<void>;

/** `GET /healthz`: the process runs. `GET /readyz`: its stores answer. */
export function addHealthRoutes(server: Server, assertReady: AssertReady): void {
  server.get(
    '/healthz',
    {
      schema: {
        operationId: 'health',
        summary: 'Whether the process runs',
        tags: ['operation'],
        response: { 200: Alive },
      },
    },
    () => ({ status: 'success' }) as const,
  );
  server.get(
    '/readyz',
    {
      schema: {
        operationId: 'readiness',
        summary: 'Whether the stores answer',
        tags: ['operation'],
        response: { 200: Alive, ...errorAnswers('unavailable') },
      },
    },
    async () => {
      await assertReady();
      return { status: 'success' } as const;
    },
  );
}

import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

const Alive = Type.Object({ status: Type.Literal('success') }, { description: 'It does.' });

/** `GET /healthz`: the process runs. `GET /readyz`: its stores answer. */
export function addHealthRoutes(server: Server, { assertReady }: ServerDeps): void {
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

import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

const Alive = Type.Object({ status: Type.Literal('success') }, { description: 'It does.' });
const ALIVE = { status: 'success' } as const;
const tags = ['operation'];

/** `GET /healthz`: the process runs. `GET /readyz`: its stores answer. */
export function addHealthRoutes(server: Server, { assertReady }: ServerDeps): void {
  const health = { operationId: 'health', summary: 'Whether the process runs', tags };
  server.get('/healthz', { schema: { ...health, response: { 200: Alive } } }, () => ALIVE);

  const readiness = { operationId: 'readiness', summary: 'Whether the stores answer', tags };
  const response = { 200: Alive, ...errorAnswers('unavailable') };
  server.get('/readyz', { schema: { ...readiness, response } }, async () => {
    await assertReady();
    return ALIVE;
  });
}

import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import { METRICS_SCOPE } from '#contract/scope.ts';
import { requireKey } from '../requests/authenticate.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

const Alive = Type.Object(
  { status: Type.Literal('success') },
  { title: 'Success', description: 'Yes.' },
);
const ALIVE = { status: 'success' } as const;
const tags = ['operation'];

/** `GET /healthz`: liveness of the process. `GET /readyz`: readiness of its stores. */
export function addHealthRoutes(server: Server, { assertReady }: ServerDeps): void {
  const health = { operationId: 'health', summary: 'Check that the process is alive', tags };
  server.get('/healthz', { schema: { ...health, response: { 200: Alive } } }, () => ALIVE);

  const readiness = { operationId: 'readiness', summary: 'Check that the stores respond', tags };
  const response = { 200: Alive, ...errorAnswers('unavailable') };
  server.get('/readyz', { schema: { ...readiness, response } }, async () => {
    await assertReady();
    return ALIVE;
  });
}

/**
 * `GET /metrics` in Prometheus' text format, with a metrics key.
 *
 * - Why a key from this machine too: behind a proxy on it, every caller seems to be here.
 */
export function addMetricsRoute(server: Server, { keys, metrics }: ServerDeps): void {
  const { registry } = metrics;
  server.get(
    '/metrics',
    { schema: { hide: true }, onRequest: requireKey(keys, METRICS_SCOPE) },
    async (_request, reply) =>
      reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}

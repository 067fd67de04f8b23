import { DONE, Done } from '#contract/done.ts';
import { errorAnswers } from '#contract/error.ts';
import { METRICS_SCOPE } from '#domain/site/scope.ts';
import type { Metrics } from './metrics.ts';
import { type KeyDirectory, requireKey } from './requests/authenticate.ts';
import type { Server } from './server-type.ts';

const Alive = { ...Done, description: 'Yes.' };
const tags = ['operation'];

/** `GET /healthz`: liveness of the process. `GET /readyz`: readiness of its stores. */
export function addHealthRoutes(server: Server, assertReady: () => Promise<void>): void {
  const health = { operationId: 'health', summary: 'Check that the process is alive', tags };
  server.get('/healthz', { schema: { ...health, response: { 200: Alive } } }, () => DONE);

  const readiness = { operationId: 'readiness', summary: 'Check that the databases respond', tags };
  const response = { 200: Alive, ...errorAnswers('unavailable') };
  server.get('/readyz', { schema: { ...readiness, response } }, async () => {
    await assertReady();
    return DONE;
  });
}

/**
 * `GET /metrics` in Prometheus' text format, with a metrics key.
 *
 * - Why a key from this machine too: behind a proxy on it, every caller seems to be here.
 */
export function addMetricsRoute(
  server: Server,
  keys: KeyDirectory,
  { registry }: Pick<Metrics, 'registry'>,
): void {
  server.get(
    '/metrics',
    { schema: { hide: true }, onRequest: requireKey(keys, METRICS_SCOPE) },
    async (_request, reply) =>
      reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}

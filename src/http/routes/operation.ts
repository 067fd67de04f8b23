import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import { authenticate } from '../requests/authenticate.ts';
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

/** `GET /metrics` in Prometheus' text form: for this machine, or with a key that reads. */
export function addMetricsRoute(server: Server, { keys, metrics }: ServerDeps): void {
  const { registry } = metrics;
  server.get(
    '/metrics',
    {
      schema: { hide: true },
      onRequest(request, _reply, done) {
        const { authorization } = request.headers;
        if (authorization !== undefined || !isFromThisMachine(request)) {
          authenticate(keys, authorization, 'stats:read');
        }
        done();
      },
    },
    async (_request, reply) =>
      reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}

/** A proxy on this machine forwards strangers: a forwarded request is not local. */
function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import { METRICS_SCOPE } from '#contract/scope.ts';
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

/** `GET /metrics` in Prometheus' text form: for this machine, or with a key of its own kind. */
export function addMetricsRoute(server: Server, { keys, metrics }: ServerDeps): void {
  const { registry } = metrics;
  server.get(
    '/metrics',
    {
      schema: { hide: true },
      onRequest(request, _reply, done) {
        const { authorization } = request.headers;
        if (authorization !== undefined || !isFromThisMachine(request)) {
          authenticate(keys, authorization, METRICS_SCOPE);
        }
        done();
      },
    },
    async (_request, reply) =>
      reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}

/** What proxies add to what they forward: `X-Forwarded-For`, `CF-Connecting-IP`, `X-Real-IP`. */
const OF_A_PROXY =
  /^(via|forwarded|x-forwarded-.*|x-real-ip|x-original-.*|.*-client-ip|.*-connecting-ip|cdn-loop)$/;

/**
 * A proxy on this machine forwards strangers: a forwarded request is not local. Some add no header,
 * and still name the host that the stranger did; so does a page that made its name point here.
 */
function isFromThisMachine({ headers, hostname, socket }: FastifyRequest): boolean {
  if (Object.keys(headers).some((name) => OF_A_PROXY.test(name))) return false;
  return (
    isLoopback(socket.remoteAddress ?? '') && (hostname === 'localhost' || isLoopback(hostname))
  );
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/, '').replace(/^\[(.*)\]$/, '$1');
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

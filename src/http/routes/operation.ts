import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import { METRICS_SCOPE } from '#contract/scope.ts';
import { authenticate } from '../requests/authenticate.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

const Alive = Type.Object({ status: Type.Literal('success') }, { description: 'Yes.' });
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

/** `GET /metrics` in Prometheus' text format: for requests from this machine, or with a metrics key. */
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

/** Headers that proxies add to forwarded requests: `X-Forwarded-For`, `CF-Connecting-IP`, `X-Real-IP`, `Remote-Addr`. */
const OF_A_PROXY =
  /^(via|forwarded|x-(forwarded|original|envoy|amzn|arr).*|fly-.*|cf-.*|x-scheme|cdn-loop|(.*-)?(client|connecting|real|remote|user)-?(ip|addr))$/;

/**
 * Whether a request comes from this machine and was not forwarded by a proxy on it. Some proxies add
 * no header but keep the caller's `Host`, so that must be local too. This also stops DNS rebinding.
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

import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { createNoteBehind, type QueryAccess } from '#api/queries/report-route.ts';
import type { Site } from '#domain/site/site.ts';
import type { Stops } from '#report/ports.ts';
import { abortOnDisconnect } from '#server/connections/abort-on-disconnect.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import { keyOf, requireKey } from '#server/requests/authenticate.ts';
import { parseJsonBody, requireJsonType } from '#server/requests/body.ts';
import { readQuery } from '#server/requests/read-json.ts';
import { toServerUrl } from '#server/requests/server-url.ts';
import type { Server } from '#server/server-type.ts';
import { callTool } from './call-tool.ts';
import { listTools } from './list-tools.ts';
import type { ToolDeps } from './tools/tool.ts';

type McpDeps = Omit<QueryAccess, 'sites'> &
  Omit<ToolDeps, 'noteBehind'> & {
    readonly sites: { findSite(named: string): Site | undefined };
    /** The server's URL, if it is set. */
    readonly baseUrl: string | undefined;
  };

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions. Keys alone open it, no cookies.
 *
 * - Source: modelcontextprotocol.io/specification/2026-07-28/basic/transports.
 */
export function addMcpRoute(server: Server, deps: McpDeps): void {
  const { keys, limitReads, baseUrl } = deps;
  const parts = { ...deps, noteBehind: createNoteBehind(deps.behindSeconds), log: server.log };
  const byKey = { findKey: keys.findKey, refresh: keys.refresh };
  server.route({
    ...{ method: 'POST', url: '/mcp', config: { isRead: true }, schema: { hide: true } },
    onRequest: [
      refusePages(baseUrl),
      requireKey(byKey, 'stats:read'),
      requireJsonType({ beacons: false }),
      ...limitReads,
    ],
    preValidation: parseJsonBody(readQuery),
    handler(request, reply) {
      return abortOnDisconnect(reply, async (stops) => {
        const response = await answer(request, stops);
        stops.signal.throwIfAborted();
        const type = response.headers.get('content-type');
        if (type !== null) reply.header('content-type', type);
        return reply.code(response.status).send(await response.text());
      });
    },
  });

  async function answer(request: FastifyRequest, stops: Stops): Promise<Response> {
    const { body } = request;
    const fault = findFault(body);
    if (fault !== undefined) throw new RefusedRequest('invalid_request', fault);
    const call = { key: keyOf(request), server: toServerUrl(request, baseUrl), stops };
    // The protocol's library takes 20 MB, which servers without assistants save, and a tenth of a second, once.
    const { serveMessage } = await import('./serve-message.ts');
    const offered = {
      list: () => listTools(call.key),
      call: (name: string, sent: unknown) => callTool(name, sent, call, parts),
    };
    const { signal } = stops;
    return serveMessage({ headers: toProtocolHeaders(request), body, signal, offered });
  }
}

/** What the protocol's library would refuse in many lines, or not at all. */
function findFault(body: unknown): string | undefined {
  if (Array.isArray(body)) return 'Send one message per request.';
  const { arguments: sent = {} } =
    (body as { params?: { arguments?: unknown } } | null)?.params ?? {};
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return isObject ? undefined : 'params.arguments must be an object.';
}

/** The headers that the protocol reads. Whatever a client accepts, it is answered with JSON. */
function toProtocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
}

/** Pages of this machine may be inspectors of the protocol. */
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * A hook that refuses pages of other origins. Not by the `Host` header: a page whose name was pointed at this machine
 * (DNS rebinding) sends its own.
 */
function refusePages(baseUrl: string | undefined): onRequestHookHandler {
  const own = baseUrl && new URL(baseUrl).origin;
  return ({ headers: { origin } }, _reply, done) => {
    if (origin === undefined || origin === own || LOOPBACK.test(origin)) return done();
    throw new RefusedRequest('forbidden', 'Requests from pages of other sites are refused.');
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_TYPES } from '#contract/error.ts';
import {
  answersOwedOn,
  closeAfterUpgrade,
  noteRequest,
} from '#server/connections/broken-requests.ts';
import { createFindSender } from '#server/connections/find-sender.ts';
import { hasTwoHosts } from '#server/connections/has-two-hosts.ts';
import { newRequestId } from '#server/connections/request-id.ts';
import { JSON_CONTENT_TYPE, logAndRefuse, toErrorBody } from '#server/errors/errors.ts';
import type { CountAnswer } from '#server/metrics.ts';
import { findValidKey, type KeyDirectory } from '#server/requests/authenticate.ts';
import { isJsonType } from '#server/requests/body.ts';
import type { RateLimit, RateStatus } from '#server/requests/rate-limit.ts';
import type { Server } from '#server/server-type.ts';
import { readBody } from './read-batch.ts';
import { ANY_ORIGIN, type Write, type WriteAnswer, type WriteEndpoint } from './write-endpoint.ts';

type WriteLaneOptions = {
  readonly keys: KeyDirectory;
  readonly limit: RateLimit | undefined;
  readonly trustedProxies: readonly string[];
  readonly countAnswer: CountAnswer;
  /** For tests: called when a response is sent. */
  readonly onAnswered: (() => void) | undefined;
};

/** What every response carries, as `markAnswer` sets it on the route. */
const MARKS = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store'] as const;

/** A write that the fast path accepts. */
type Admitted = Pick<Write, 'apiKey' | 'headers'> & {
  readonly endpoint: WriteEndpoint;
  readonly request: IncomingMessage;
};

/** The response to a write. */
type Answer = {
  readonly code: number;
  /** Header names and values, alternating: Node writes a list faster than an object. */
  readonly head: string[];
  readonly text: string;
};

/**
 * Installs the fast path, which handles plain writes without the framework.
 *
 * - Shape: it accepts only requests that cannot be refused before their body is read. All others take
 *   the usual route, so that every early refusal is made in one place. Both ways share the endpoint
 *   and give the same responses.
 * - Why: routing, hooks and replies are a sixth of the total work for a goal.
 * - Source: docs/decisions/0017-plain-writes-take-a-fast-path.md.
 */
export function openWriteLane(
  server: Server,
  endpoints: readonly WriteEndpoint[],
  { keys, limit, trustedProxies, countAnswer, onAnswered }: WriteLaneOptions,
): void {
  const endpointsByPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const findSender = createFindSender(trustedProxies);
  let isClosing = false;
  server.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });

  const nodes = server.server;
  /** Responses of the framework from before the shutdown: the connection stays open behind them. */
  const routed = new WeakSet<ServerResponse>();
  nodes.removeAllListeners('request');
  nodes.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The connection closes before these requests could be answered.
    if (closeAfterUpgrade(request, response) || (isClosing && isBehindLast(request))) return;
    noteRequest(request, response);
    if (onAnswered !== undefined) response.once('finish', onAnswered);
    const admitted = admit(request);
    if (admitted === undefined) {
      if (!isClosing) routed.add(response);
      server.routing(request, response);
      return;
    }
    readBytes(request, async (bytes) => send(response, await answer(admitted, bytes), isClosing));
  });

  function isBehindLast({ socket }: IncomingMessage): boolean {
    const before = answersOwedOn(socket).at(-1);
    return before !== undefined && !routed.has(before);
  }

  function admit(request: IncomingMessage): Admitted | undefined {
    const endpoint = request.method === 'POST' ? endpointsByPath.get(request.url ?? '') : undefined;
    if (endpoint === undefined || isClosing) return undefined;
    const { headers } = request;
    if (!isPlain(request, endpoint)) return undefined;
    const { authorization } = headers;
    if (authorization === undefined && endpoint.isForBrowsers) {
      return { endpoint, apiKey: null, headers, request };
    }
    const apiKey = findValidKey(keys, authorization, endpoint.scope);
    return apiKey && { endpoint, apiKey, headers, request };
  }

  async function answer(admitted: Admitted, bytes: Buffer): Promise<Answer> {
    const { endpoint, apiKey, headers, request } = admitted;
    const requestId = newRequestId(request);
    let status: RateStatus | undefined;
    let code = 200;
    let answered: WriteAnswer;
    try {
      const sender = findSender(request);
      status = limit?.({ apiKey, ip: sender.ip });
      if (status?.refused !== undefined) throw status.refused;
      const read = readBody(bytes);
      const { text: bodyText, value: body } = read instanceof Promise ? await read : read;
      answered = await endpoint.answer({ headers, apiKey, body, bodyText, ...sender });
    } catch (error) {
      const about = { isRead: false, requestId, route: endpoint.path };
      const refused = logAndRefuse(error, about, server.log);
      code = ERROR_TYPES[refused.type].code;
      answered = { text: toErrorBody(refused, requestId), headers: refused.headers };
    }
    countAnswer(endpoint.path, code);
    const { text } = answered;
    const head = ['x-request-id', requestId, ...MARKS];
    if (endpoint.isForBrowsers) head.push(...ANY_ORIGIN);
    if (status !== undefined) pushHeaders(head, status.headers);
    if (answered.headers !== undefined) pushHeaders(head, answered.headers);
    head.push('content-type', JSON_CONTENT_TYPE, 'content-length', `${Buffer.byteLength(text)}`);
    return { code, head, text };
  }
}

function pushHeaders(head: string[], headers: Readonly<Record<string, string>>): void {
  for (const name in headers) head.push(name, headers[name] as string);
}

/** Whether a request's headers are what its endpoint expects, and its body is neither chunked nor too large. */
function isPlain(
  request: IncomingMessage,
  { bodyMaxBytes, isForBrowsers }: WriteEndpoint,
): boolean {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  if (length === 0 || length > bodyMaxBytes) return false;
  if (headers.host === undefined || hasTwoHosts(request)) return false;
  return isJsonType(headers, { beacons: isForBrowsers });
}

/** Sends the response. During shutdown, only the last one in flight closes the connection. */
function send(response: ServerResponse, { code, head, text }: Answer, isLast: boolean): void {
  const { socket } = response.req;
  if (isLast && answersOwedOn(socket).at(-1) === response) head.push('connection', 'close');
  response.writeHead(code, head);
  response.end(text);
}

/** Passes on the complete body. If it breaks off, there is nobody left to answer. */
function readBytes(request: IncomingMessage, onWhole: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks.length = 0; // An idle connection keeps its last request in memory, and with it the chunks.
    onWhole(bytes);
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_TYPES } from '#contract/error.ts';
import { JSON_CONTENT_TYPE, refuse, toErrorBody } from '../answers/errors.ts';
import { findValidKey, type KeyDirectory } from '../requests/authenticate.ts';
import { isJsonType } from '../requests/body.ts';
import { createFindSender } from '../requests/find-sender.ts';
import { hasTwoHosts } from '../requests/has-two-hosts.ts';
import type { RateLimit, Standing } from '../requests/rate-limit.ts';
import { readJson } from '../requests/read-json.ts';
import { answersOwedOn, closeBehindUpgrade, noteRequest } from '../server/broken-requests.ts';
import type { CountAnswer } from '../server/metrics.ts';
import { newRequestId } from '../server/request-id.ts';
import type { Server } from '../server/server-type.ts';
import { ANY_ORIGIN, type Write, type WriteAnswer, type WriteEndpoint } from './write-endpoint.ts';

/** What the lane shares with the routes. */
export type WriteLaneOptions = {
  readonly keys: KeyDirectory;
  readonly limit: RateLimit | undefined;
  readonly trustedProxies: readonly string[];
  readonly countAnswer: CountAnswer;
  /** For tests: called when an answer is out. */
  readonly onAnswered: (() => void) | undefined;
};

/** A write that the lane takes. */
type Admitted = Pick<Write, 'apiKey' | 'headers'> & {
  readonly endpoint: WriteEndpoint;
  readonly request: IncomingMessage;
};

/** What a write is answered. */
type Answer = {
  readonly code: number;
  /** Names and values of headers in turn: Node writes a list faster than an object. */
  readonly head: string[];
  readonly text: string;
};

/**
 * Takes plain writes past the framework: those that are sent as their endpoint expects, by whom it expects.
 *
 * - Shape: only what cannot be refused before its body is read comes in here, and everything else goes
 *   the usual way, so that every refusal before the body is made in one place. Both ways share the
 *   endpoint, and answer alike.
 * - Why: routing, hooks and replies cost a sixth of all the work for a goal.
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
  /** Answers whose connection ends behind them, unless another of these is owed behind. */
  const lasts = new WeakSet<ServerResponse>();
  nodes.removeAllListeners('request');
  nodes.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Nobody would have its answer.
    if (closeBehindUpgrade(request, response) || (isClosing && isBehindLast(request))) return;
    noteRequest(request, response);
    if (onAnswered !== undefined) response.once('finish', onAnswered);
    const admitted = admit(request);
    if (admitted !== undefined || isClosing) lasts.add(response);
    if (admitted === undefined) server.routing(request, response);
    else
      readBytes(request, async (bytes) => send(response, await answer(admitted, bytes), isClosing));
  });

  function isBehindLast({ socket }: IncomingMessage): boolean {
    const before = answersOwedOn(socket).at(-1);
    return before !== undefined && lasts.has(before);
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
    let standing: Standing | undefined;
    let code = 200;
    let answered: WriteAnswer;
    try {
      const sender = findSender(request);
      standing = limit?.({ apiKey, ip: sender.ip });
      if (standing?.refused !== undefined) throw standing.refused;
      const { text: bodyText, value: body } = readJson(bytes);
      answered = await endpoint.answer({ headers, apiKey, body, bodyText, ...sender });
    } catch (error) {
      const refused = refuse(error, { isRead: false, requestId, route: endpoint.path }, server.log);
      code = ERROR_TYPES[refused.type].code;
      answered = { text: toErrorBody(refused, requestId), headers: refused.headers };
    }
    countAnswer(endpoint.path, code);
    const { text } = answered;
    const head = ['x-request-id', requestId, 'x-content-type-options', 'nosniff'];
    if (endpoint.isForBrowsers) head.push(...ANY_ORIGIN);
    if (standing !== undefined) head.push(...Object.entries(standing.headers).flat());
    if (answered.headers) head.push(...Object.entries(answered.headers).flat());
    head.push('content-type', JSON_CONTENT_TYPE, 'content-length', `${Buffer.byteLength(text)}`);
    return { code, head, text };
  }
}

/** Whether the head of a request is as its endpoint expects, and its body neither chunked nor too large. */
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

/** What came before the end is answered whole: only the last answer closes the connection. */
function send(response: ServerResponse, { code, head, text }: Answer, isLast: boolean): void {
  const { socket } = response.req;
  if (isLast && answersOwedOn(socket).at(-1) === response) head.push('connection', 'close');
  response.writeHead(code, head);
  response.end(text);
}

/** Hands over the body when it is whole; one that breaks off has nobody left to be answered. */
function readBytes(request: IncomingMessage, onWhole: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks.length = 0; // A connection that rests holds its last request, and would hold this, too.
    onWhole(bytes);
  });
}

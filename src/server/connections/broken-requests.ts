import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_TYPES } from '#contract/error.ts';
import { RefusedRequest, toErrorBody } from '../errors/errors.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http'); // Its import would load `fetch` too: 5 MB.

/** Responses in flight, in the order of their requests. Finished ones are removed with the next request. */
const owed = new WeakMap<Socket, ServerResponse[]>();
const broken = new WeakSet<Socket>();

/**
 * Remembers a request that must be answered before a broken one that may follow on its socket.
 *
 * Why without a listener for its end: a listener on each response would cost more than all of this.
 */
export function noteRequest({ socket }: IncomingMessage, answer: ServerResponse): void {
  const answers = owed.get(socket);
  if (answers === undefined) {
    owed.set(socket, [answer]);
    return;
  }
  while (answers[0]?.closed === true) answers.shift();
  answers.push(answer);
}

/**
 * Answers input that is not HTTP, too slow or too large to become a request, and closes the connection.
 *
 * Why after the responses in flight: the caller would mistake it for the response to an earlier,
 * recorded request.
 */
export function answerBrokenRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || broken.has(socket)) return;
  broken.add(socket); // Everything after it is broken too.
  hangUpAfterOwed(socket, error.code);
}

/** A slow request may complete in the meantime, and must then be answered first. */
function hangUpAfterOwed(socket: Socket, code: string | undefined): void {
  const before = answersOwedOn(socket).findLast(({ req }) => req.complete);
  if (before === undefined) hangUp(socket, code);
  else before.once('close', () => hangUpAfterOwed(socket, code));
}

/** Responses that are not sent yet, in the order of their requests. */
export function answersOwedOn(socket: Socket): ServerResponse[] {
  return (owed.get(socket) ?? []).filter(({ closed }) => !closed);
}

function hangUp(socket: Socket, code: string | undefined): void {
  if (socket.writable) socket.end(toAnswerBytes(toRefusal(code)));
  socket.destroySoon();
}

/** A complete HTTP response for input that never became a request; it closes the connection. */
export function toAnswerBytes(refused: RefusedRequest): string {
  const { code } = ERROR_TYPES[refused.type];
  const requestId = randomUUID();
  const body = toErrorBody(refused, requestId);
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(refused.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function toRefusal(code: string | undefined): RefusedRequest {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RefusedRequest('request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new RefusedRequest('headers_too_large', 'The header is larger than allowed.');
    default:
      return new RefusedRequest('invalid_request', 'This is not a well-formed HTTP request.');
  }
}

/** Responses that are pointless once the caller has closed their side. */
const abandonable = new WeakSet<ServerResponse>();

/** Drops this response if the caller closes their side, as browsers do when they leave a page. */
export function dropOnHalfClose(answer: ServerResponse): void {
  abandonable.add(answer);
}

/**
 * Lets callers half-close the connection after a write and still receive its response, because the
 * write is recorded.
 *
 * Why not for every response: a disconnect looks the same, and queries would run for nobody.
 */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true }); // Node's types lack it.
  server.on('connection', (socket: Socket) => {
    socket.on('end', () => {
      if (answersOwedOn(socket).every((answer) => abandonable.has(answer))) socket.end();
    });
  });
}

const upgraded = new WeakSet<Socket>();

/**
 * Returns true for a request that follows an upgrade request on its connection, and must not be served.
 * The upgrade request itself is answered over HTTP, and its connection is closed.
 *
 * Why: Node discards bytes that arrive in the same packet as the upgrade's header. Later bytes may
 * start in the middle of a request, and the sender must learn that only the first was answered.
 */
export function closeAfterUpgrade(
  { headers, socket }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (upgraded.has(socket)) return true;
  if (headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '')) {
    upgraded.add(socket);
    response.shouldKeepAlive = false;
  }
  return false;
}

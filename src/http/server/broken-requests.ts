import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_TYPES } from '#contract/error.ts';
import { RefusedRequest, toErrorBody } from '../answers/errors.ts';

/** Answers that are under way, in the order of their requests; those that are over go with the next. */
const owed = new WeakMap<Socket, ServerResponse[]>();
const broken = new WeakSet<Socket>();

/**
 * Remembers that a request is to be answered before what may be broken behind it.
 *
 * Why without a listener for its end: one on each answer costs more than all else that is done here.
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
 * Answers what is no HTTP, too slow or too large to become a request, and hangs up.
 *
 * Why after what is owed: the caller would take this for the answer to a request that came whole
 * and is recorded.
 */
export function answerBrokenRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || broken.has(socket)) return;
  broken.add(socket); // Whatever follows is broken too.
  hangUpAfterOwed(socket, error.code);
}

/** What was too slow may come whole while it waits here, and is owed an answer then. */
function hangUpAfterOwed(socket: Socket, code: string | undefined): void {
  const before = answersOwedOn(socket).findLast(({ req }) => req.complete);
  if (before === undefined) hangUp(socket, code);
  else before.once('close', () => hangUpAfterOwed(socket, code));
}

/** Answers that are not out yet, in the order of their requests. */
export function answersOwedOn(socket: Socket): ServerResponse[] {
  return (owed.get(socket) ?? []).filter(({ closed }) => !closed);
}

function hangUp(socket: Socket, code: string | undefined): void {
  if (socket.writable) socket.end(toAnswerBytes(toRefusal(code)));
  socket.destroySoon();
}

/** A whole answer to what never became a request, after which the connection closes. */
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
      return new RefusedRequest('invalid_request', 'This is no well-formed HTTP request.');
  }
}

/** Answers that are worth nothing any more once the caller's side is closed. */
const forWhoStays = new WeakSet<ServerResponse>();

/** Drops this answer when its caller closes their side, as browsers do when they leave a page. */
export function dropWhenLeft(answer: ServerResponse): void {
  forWhoStays.add(answer);
}

/**
 * Lets callers close their side behind a write and still have its answer: what is recorded is answered.
 *
 * Why not every answer: who hangs up looks the same, and the engine would go on for nobody.
 */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true }); // Node's types lack it.
  server.on('connection', (socket: Socket) => {
    socket.on('end', () => {
      if (answersOwedOn(socket).every((answer) => forWhoStays.has(answer))) socket.end();
    });
  });
}

const upgraded = new WeakSet<Socket>();

/**
 * Whether a request came behind one that would switch protocols, and is not to be served. That one is answered as if it
 * would not, and ends its connection.
 *
 * Why: Node throws away what comes in one packet with its head. What comes next may begin in the middle of a request,
 * and who sent all of it must learn that only the first was answered.
 */
export function closeBehindUpgrade(
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

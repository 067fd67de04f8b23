import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_TYPES } from '#contract/error.ts';
import { RefusedRequest, toErrorBody } from './errors.ts';

/** Answers what is no HTTP, too slow or too large to become a request, and hangs up. */
export function answerBrokenRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(toAnswerBytes(toRefusal(error.code)));
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

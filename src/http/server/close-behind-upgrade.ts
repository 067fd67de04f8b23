import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const left = new WeakSet<Socket>();

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
  if (left.has(socket)) return true;
  if (headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '')) {
    left.add(socket);
    response.shouldKeepAlive = false;
  }
  return false;
}

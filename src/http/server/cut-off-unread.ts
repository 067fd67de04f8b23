import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Cuts off connections whose answers have not moved for that long: nobody reads them, and each
 * would hold its place for ever. Who sent what is broken has that long to read what is owed before.
 *
 * - Shape: who waits for an answer, or sends a request, is left to the limits of these.
 * - Why not Node's `timeout` by itself: it also ends clients that wait for a slow query,
 *   and a listener for it has to end those whose keep-alive time is over.
 */
export function cutOffUnread(server: Server, maxMs: number): void {
  server.setTimeout(maxMs);
  server.on('timeout', (socket) => {
    const isKeptAlive = socket.timeout !== server.timeout; // Node sets that time after an answer.
    if (isKeptAlive || socket.writableLength > 0) socket.destroy();
  });

  const leaving = new WeakSet<Socket>();
  server.on('clientError', (_error, socket: Socket) => {
    if (socket.destroyed || leaving.has(socket)) return;
    leaving.add(socket);
    // Whatever it sends from here on would look like a sign of life.
    const patience = setTimeout(() => socket.destroy(), server.timeout);
    socket.once('close', () => clearTimeout(patience));
  });
}

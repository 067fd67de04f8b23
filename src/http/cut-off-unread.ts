import type { Server } from 'node:http';

/**
 * Cuts off connections whose answers have not moved for that long: nobody reads them, and each
 * would hold its place for ever.
 *
 * - Shape: who waits for an answer, or sends a request, is left to the limits of these.
 * - Why not Node's `timeout` by itself: it also ends whoever waits for a question that takes long,
 *   and a listener for it has to end those whose keep-alive time is over.
 */
export function cutOffUnread(server: Server, maxMs: number): void {
  server.setTimeout(maxMs);
  server.on('timeout', (socket) => {
    const isKeptAlive = socket.timeout !== server.timeout; // Node sets that time after an answer.
    if (isKeptAlive || socket.writableLength > 0) socket.destroy();
  });
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Cuts off connections whose responses have not been read for that long; otherwise they would stay
 * open forever. A client that sent a broken request has the same time to read its earlier responses.
 *
 * - Shape: clients that wait for a response or send a request have other limits.
 * - Why not Node's `timeout` alone: it would also cut off clients that wait for a slow query. Its
 *   listener must also close connections whose keep-alive time has expired.
 */
export function cutOffUnread(server: Server, maxMs: number): void {
  server.setTimeout(maxMs);
  server.on('timeout', (socket) => {
    const isKeptAlive = socket.timeout !== server.timeout; // Node sets that time after a response.
    if (isKeptAlive || socket.writableLength > 0) socket.destroy();
  });

  const leaving = new WeakSet<Socket>();
  server.on('clientError', (_error, socket: Socket) => {
    if (socket.destroyed || leaving.has(socket)) return;
    leaving.add(socket);
    // Further input would reset the socket's own timeout.
    const patience = setTimeout(() => socket.destroy(), server.timeout);
    socket.once('close', () => clearTimeout(patience));
  });
}

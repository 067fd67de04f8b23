import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { RefusedRequest } from '../answers/errors.ts';
import { toAnswerBytes } from './broken-requests.ts';

/** How long refused clients may take to read why, and how many may do so at once. */
const READING_MAX_MS = 1_000;
const READING_MAX = 256;
const TOO_MANY = 'Too many connections are open. Try again.';
const RETRY_AFTER = { 'retry-after': '1' };

/**
 * Lets no more than so many connections be open; one more is answered 503 and closed.
 *
 * - Why not `maxConnections` of Node: it closes without a word.
 */
export function limitConnections(server: Server, max: number): void {
  const open = new Set<Socket>();
  let reading = 0;
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];

  function refuse(socket: Socket): void {
    socket.on('error', () => {});
    if (reading >= READING_MAX) {
      socket.destroy();
      return;
    }
    reading += 1;
    const patience = setTimeout(() => socket.destroy(), READING_MAX_MS);
    socket.on('close', () => {
      clearTimeout(patience);
      reading -= 1;
    });
    socket.resume(); // What is sent and never read would break the connection before the answer is.
    socket.end(
      toAnswerBytes(new RefusedRequest('unavailable', TOO_MANY, { headers: RETRY_AFTER })),
    );
  }

  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (open.size >= max) {
      refuse(socket);
      return;
    }
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    for (const listener of listeners) listener.call(server, socket);
  });
}

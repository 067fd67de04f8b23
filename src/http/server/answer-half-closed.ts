import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answersOwedOn } from './broken-requests.ts';

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

import { connect, type Socket } from 'node:net';
import type { TortureServer } from '../torture-server.ts';

/** A malicious client. */
export type HostileSocket = {
  readonly socket: Socket;
  /** Whether it notices its end: one that reads nothing does not. */
  readonly reads: boolean;
  /** Resolves at its end, with its duration. */
  readonly closed: Promise<number>;
};

type Kind = {
  readonly reads: boolean;
  act(socket: Socket, server: TortureServer): void;
};

const DRIP_MS = 400;
const PIPELINED = 20;
/** More than all buffers between server and client can hold. */
const UNREAD_ANSWERS = 120;
const GOAL = 'POST /api/v1/goals HTTP/1.1\r\nhost: a\r\n';

const KINDS: readonly Kind[] = [
  { reads: true, act: (socket) => drip(socket, `${GOAL}x-slow: `) },
  {
    reads: true,
    act: (socket, { key }) =>
      drip(
        socket,
        '{"service_visitor_id":"',
        `${GOAL}authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`,
      ),
  },
  { reads: true, act: () => {} }, // Sends nothing at all.
  {
    reads: true,
    act: (socket) => socket.end('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(PIPELINED)),
  },
  {
    reads: true,
    act: (socket) =>
      socket.write(`GET / HTTP/1.1\r\nhost: a\r\nx-huge: ${'x'.repeat(100_000)}\r\n\r\n`),
  },
  // Half of a request, and nothing more.
  { reads: true, act: (socket) => socket.end(`${GOAL}content-length: 1000\r\n\r\n{"name"`) },
];

const UNREAD: Kind = {
  reads: false,
  act: (socket) =>
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(UNREAD_ANSWERS)),
};
/** More would be a flood, not slow clients: each takes megabytes of answers at first. */
const UNREAD_EVERY = 100;

/** Opens one of each kind in turn, and sometimes one that reads nothing. */
export function openHostile(server: TortureServer, index: number): HostileSocket {
  const isUnread = index % UNREAD_EVERY === 0;
  const { reads, act } = isUnread ? UNREAD : (KINDS[index % KINDS.length] as Kind);
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  const from = performance.now();
  const closed = new Promise<number>((resolve) =>
    socket.on('close', () => resolve(performance.now() - from)),
  );
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  if (reads) socket.resume();
  else socket.pause();
  socket.once('connect', () => act(socket, server));
  return { socket, reads, closed };
}

/** One character at a time, forever. */
function drip(socket: Socket, text: string, head = ''): void {
  socket.write(head);
  let next = 0;
  const timer = setInterval(() => {
    if (!socket.writableEnded) socket.write(text[next++] ?? 'x');
  }, DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

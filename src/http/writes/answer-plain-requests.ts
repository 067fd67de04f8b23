import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type PlainRequest, readPlainRequest } from './read-plain-request.ts';

/** The bytes of an answer, and whether the connection ends behind it. */
export type PlainAnswer = { readonly text: string; readonly isLast: boolean };

/** What answers a plain request, or leaves it to Node: `undefined`. */
export type AnswerPlain = (
  request: PlainRequest,
  socket: Socket,
) => Promise<PlainAnswer> | undefined;

/** Who answers, and who is told of it. */
export type PlainRequestsOptions = {
  readonly answer: AnswerPlain;
  /** For tests: told when an answer is out. */
  readonly onAnswered: (() => void) | undefined;
};

/** A connection that Node's HTTP does not know of. */
type Connection = {
  readonly socket: Socket;
  /** Nothing came yet; a request waits for its answer; the last one has it; it is being closed. */
  state: 'new' | 'owing' | 'resting' | 'over';
  /** When that began. */
  since: number;
};

const LOOK_EVERY_MS = 1_000;
/** As much longer than it is told, as Node waits too: a caller may write just then. */
const KEEP_ALIVE_BUFFER_MS = 1_000;
const TOO_SLOW = Object.assign(new Error('No request came in time.'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
});

/**
 * Answers plain requests straight from their sockets. A connection is Node's, for good, from the first
 * bytes on that are anything else than one plain request that is taken.
 *
 * - Shape: one request at a time; the server's own time limits hold, and closing it closes these.
 * - Why: Node's objects for a request and its answer take as long as all that is done for a goal.
 */
export function answerPlainRequests(
  server: Server,
  { answer, onAnswered }: PlainRequestsOptions,
): void {
  const open = new Set<Connection>();
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', begin);
  closeToo(server, open);
  watchTimes(server, open);

  function begin(socket: Socket): void {
    const connection: Connection = { socket, state: 'new', since: performance.now() };
    let isEnded = false;
    socket.on('data', take).on('end', end).on('close', forget).on('error', ignore);
    open.add(connection);

    function take(bytes: Buffer): void {
      if (connection.state === 'over') return;
      if (connection.state === 'owing') {
        socket.pause();
        socket.unshift(bytes); // It comes again once this answer is out.
        return;
      }
      const request = socket.writableLength === 0 ? readPlainRequest(bytes) : undefined;
      const answered = request && answer(request, socket);
      if (answered === undefined) handOver(bytes);
      else {
        connection.state = 'owing';
        void answered.then(send);
      }
    }

    function send({ text, isLast }: PlainAnswer): void {
      if (socket.destroyed) return;
      const isOver = isLast || isEnded;
      connection.state = isOver ? 'over' : 'resting';
      connection.since = performance.now();
      socket.write(text, 'utf8', onAnswered);
      if (isOver) socket.destroySoon();
      else if (socket.isPaused()) socket.resume();
    }

    /** Whoever closes their side has the answer that is owed, and no other request. */
    function end(): void {
      isEnded = true;
      if (connection.state !== 'owing') socket.end();
    }

    function forget(): void {
      open.delete(connection);
    }

    function handOver(bytes: Buffer): void {
      open.delete(connection);
      socket.off('data', take).off('end', end).off('close', forget).off('error', ignore);
      socket.pause(); // Else it would be read before Node listens.
      socket.unshift(bytes);
      for (const listener of listeners) listener.call(server, socket);
      socket.resume();
    }
  }
}

/** A connection that breaks is closed; nobody is left to be told. */
function ignore(): void {}

function closeToo(server: Server, open: ReadonlySet<Connection>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  const closeAll = server.closeAllConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const connection of open) if (connection.state !== 'owing') close(connection);
    closeIdle();
  };
  server.closeAllConnections = () => {
    for (const { socket } of open) socket.destroy();
    closeAll();
  };
}

function close(connection: Connection): void {
  connection.state = 'over';
  connection.socket.destroySoon(); // An answer that is on its way goes out.
}

/** The limits that Node sets to connections without a request under way. */
function watchTimes(server: Server, open: ReadonlySet<Connection>): void {
  const watching = setInterval(() => {
    const now = performance.now();
    for (const connection of open) watch(connection, now - connection.since);
  }, LOOK_EVERY_MS).unref();
  server.on('close', () => clearInterval(watching));

  function watch(connection: Connection, forMs: number): void {
    const { socket, state } = connection;
    if (state === 'owing') return;
    if (socket.writableLength > 0) {
      if (forMs > server.timeout) socket.resetAndDestroy(); // Else the kernel would go on trying.
    } else if (state === 'new' && forMs > server.headersTimeout) {
      connection.state = 'over';
      server.emit('clientError', TOO_SLOW, socket);
    } else if (forMs > server.keepAliveTimeout + KEEP_ALIVE_BUFFER_MS) {
      close(connection);
    }
  }
}

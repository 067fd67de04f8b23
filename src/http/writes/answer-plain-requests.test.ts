import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerBrokenRequest, noteRequest } from '../broken-requests.ts';
import { answerPlainRequests } from './answer-plain-requests.ts';

/** Time limits of a server, in ms; nobody is too slow for the patient one, on any machine. */
type Limits = { readonly headers: number; readonly keepAlive: number; readonly unread: number };
const PATIENT: Limits = { headers: 60_000, keepAlive: 60_000, unread: 60_000 };
const HASTY: Limits = { headers: 1_500, keepAlive: 1_000, unread: 2_000 };
const WAIT_MAX_MS = 30_000;
/** More than both ends' kernels keep. */
const LARGE = 'x'.repeat(30_000_000);

/** A request whose answer says what was sent; some bodies are answered in their own way. */
const post = (body: string, path = '/plain') =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const told = (by: 'plain' | 'node', body: string) => `<${by} ${body}>`;

describe('plain requests are answered', () => {
  const { open, release } = withServer(PATIENT);

  it('one after the other on one connection', async () => {
    const { socket, read } = open();
    socket.write(post('one'));
    await until(read, told('plain', 'one'));
    socket.write(post('two'));
    await until(read, told('plain', 'one') + told('plain', 'two'));
  });

  it('once, by Node, whichever two pieces they come in', async () => {
    const request = post('in pieces');
    await Promise.all(
      Array.from({ length: request.length - 1 }, async (_, index) => {
        const { socket, read, arrived } = open();
        socket.write(request.slice(0, index + 1));
        await until(arrived, index + 1);
        socket.write(request.slice(index + 1));
        await until(read, told('node', 'in pieces'));
      }),
    );
  });

  it('by Node once one of the connection was not plain, or was not taken', async () => {
    const { socket, read } = open();
    socket.write(post('first'));
    await until(read, told('plain', 'first'));
    socket.write(post('second', '/other'));
    await until(read, told('plain', 'first') + told('node', 'second'));
    socket.write(post('third'));
    await until(read, told('plain', 'first') + told('node', 'second') + told('node', 'third'));
  });

  it('by Node when several come in one piece, all and in their order', async () => {
    const { socket, read } = open();
    socket.end(post('one') + post('two') + post('three'));
    await until(read, ['one', 'two', 'three'].map((body) => told('node', body)).join(''));
  });

  it('in their order when more come while one waits, and when these are not plain', async () => {
    const { socket, read, arrived, closed } = open();
    socket.write(post('wait'));
    await until(arrived, post('wait').length);
    socket.write(post('behind'));
    await until(arrived, post('wait').length + post('behind').length);
    socket.write(`${post('far behind')}junk\r\n\r\n`);
    await sleep(50);
    assert.equal(read(), '');
    release();
    const answers = told('plain', 'wait') + told('plain', 'behind') + told('node', 'far behind');
    await until(read, `${answers}HTTP/1.1 400`);
    await closed;
  });

  it('though their caller closes their side behind them', async () => {
    const { socket, read, hasEnded, closed } = open();
    socket.end(post('wait'));
    await until(hasEnded, true);
    release();
    await until(read, told('plain', 'wait'));
    await closed;
  });

  it('for nobody when their connection is gone', async () => {
    const { socket, arrived, isGone } = open();
    socket.write(post('wait'));
    await until(arrived, post('wait').length);
    socket.resetAndDestroy();
    await until(isGone, true);
    release();
    const { socket: next, read } = open();
    next.write(post('next'));
    await until(read, told('plain', 'next'));
  });
});

describe('plain requests and time', () => {
  const { open, release } = withServer(HASTY);

  it('rest no longer than a connection may', async () => {
    const { socket, read, closed } = open();
    socket.write(post('one'));
    await until(read, told('plain', 'one'));
    const restedAt = performance.now();
    await closed;
    assert.ok(performance.now() - restedAt > HASTY.keepAlive);
  });

  it('wait for their answers however long that takes', async () => {
    const { socket, read, arrived } = open();
    socket.write(post('wait'));
    await until(arrived, post('wait').length);
    await sleep(3 * HASTY.keepAlive);
    release();
    await until(read, told('plain', 'wait'));
  });

  it('are answered as long as answers are read', async () => {
    const { socket, isGone, closed } = open();
    socket.pause();
    socket.write(post('large'));
    const sentAt = performance.now();
    await until(isGone, true);
    assert.ok(performance.now() - sentAt > HASTY.unread);
    socket.resume();
    await closed;
    assert.ok(socket.bytesRead < LARGE.length, `${socket.bytesRead} bytes came`);
  });

  it('must come, and whoever sends none is told so, and left', async () => {
    const { socket, read, closed } = open();
    const [outcome] = await Promise.all([once(socket, 'end'), closed]);
    assert.deepEqual(outcome, []);
    assert.equal(read(), 'HTTP/1.1 408');
  });
});

describe('a server of plain requests that closes', () => {
  const { server, open, release } = withServer(PATIENT);

  it('answers what it owes, and ends resting connections', async () => {
    const resting = open();
    const owing = open();
    resting.socket.write(post('rest'));
    owing.socket.write(post('wait'));
    await until(resting.read, told('plain', 'rest'));
    await until(owing.arrived, post('wait').length);
    const isClosed = once(server, 'close');
    server.close();
    await resting.closed;
    release();
    await until(owing.read, told('plain', 'wait'));
    server.closeIdleConnections();
    await Promise.all([owing.closed, isClosed]);
  });
});

async function until<T>(look: () => T, expected: T): Promise<void> {
  const end = performance.now() + WAIT_MAX_MS;
  while (look() !== expected && performance.now() < end) await sleep(5);
  assert.equal(look(), expected);
}

/** A server for the tests of a suite: `release` lets the answer go that waits. */
function withServer(limits: Limits) {
  let waiting = () => {};
  const server = createAnswering(limits, (release) => {
    waiting = release;
  });
  /** The server's ends of connections, by the port they come from. */
  const accepted = new Map<number, Socket>();
  server.on('connection', (socket) => accepted.set(socket.remotePort as number, socket));
  const sockets: Socket[] = [];
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { server, open, release: () => waiting() };

  /** A connection, what it was answered without what Node says around it, and how the server has it. */
  function open() {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    sockets.push(socket);
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const read = () => (text.match(/<(?:plain|node)[^>]*>|HTTP\/1\.1 [45]\d\d/g) ?? []).join('');
    socket.on('error', () => {}).on('end', () => socket.end());
    let own: number | undefined;
    socket.once('connect', () => {
      own = socket.localPort;
    });
    const theirs = () => accepted.get(own as number);
    const arrived = () => theirs()?.bytesRead;
    const hasEnded = () => theirs()?.readableEnded;
    const isGone = () => theirs()?.destroyed;
    return { socket, read, closed, arrived, hasEnded, isGone };
  }
}

function createAnswering(limits: Limits, onWait: (release: () => void) => void): Server {
  const server = createServer({ connectionsCheckingInterval: 100 }, (request, response) => {
    noteRequest(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => response.end(told('node', Buffer.concat(chunks).toString())));
  });
  server.headersTimeout = limits.headers;
  server.keepAliveTimeout = limits.keepAlive;
  server.setTimeout(limits.unread);
  server.on('clientError', answerBrokenRequest);
  answerPlainRequests(server, {
    onAnswered: undefined,
    answer({ path, body }) {
      if (path !== '/plain') return undefined;
      const text = body.toString();
      const answer = { text: text === 'large' ? LARGE : told('plain', text), isLast: false };
      if (text !== 'wait') return Promise.resolve(answer);
      return new Promise((resolve) => onWait(() => resolve(answer)));
    },
  });
  return server;
}

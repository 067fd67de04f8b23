import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerBrokenRequest, noteRequest } from '../broken-requests.ts';
import { answerPlainRequests } from './answer-plain-requests.ts';

const HEADERS_TIMEOUT_MS = 300;
const KEEP_ALIVE_TIMEOUT_MS = 1_000;
const UNREAD_TIMEOUT_MS = 2_000;
/** More than both ends' kernels keep. */
const LARGE = 'x'.repeat(30_000_000);

/** A request whose answer says what was sent; some bodies are answered in their own way. */
const post = (body: string, path = '/plain') =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const told = (by: 'plain' | 'node', body: string) => `<${by} ${body}>`;

describe('plain requests are answered', () => {
  let server: Server;
  let port: number;
  let release: () => void = () => {};
  const sockets: Socket[] = [];
  before(async () => {
    server = startServer((open) => {
      release = open;
    });
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** A connection, and what it was answered, without what Node says around it. */
  function open(): { socket: Socket; read: () => string; closed: Promise<unknown> } {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const read = () => (text.match(/<(?:plain|node)[^>]*>|HTTP\/1\.1 [45]\d\d/g) ?? []).join('');
    socket.on('error', () => {}).on('end', () => socket.end());
    return { socket, read, closed };
  }

  async function until(read: () => string, expected: string): Promise<void> {
    for (let tries = 0; read() !== expected && tries < 400; tries += 1) await sleep(5);
    assert.equal(read(), expected);
  }

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
        const { socket, read } = open();
        socket.setNoDelay();
        socket.write(request.slice(0, index + 1));
        await sleep(20);
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
    const { socket, read, closed } = open();
    socket.write(post('wait'));
    await sleep(20);
    socket.write(post('behind'));
    await sleep(20);
    socket.write(`${post('far behind')}junk\r\n\r\n`);
    await sleep(50);
    assert.equal(read(), '');
    release();
    const answers = told('plain', 'wait') + told('plain', 'behind') + told('node', 'far behind');
    await until(read, `${answers}HTTP/1.1 400`);
    await closed;
  });

  it('though their caller closes their side behind them', async () => {
    const { socket, read, closed } = open();
    socket.end(post('wait'));
    await sleep(50);
    release();
    await until(read, told('plain', 'wait'));
    await closed;
  });

  it('for nobody when their connection is gone', async () => {
    const { socket } = open();
    socket.write(post('wait'));
    await sleep(50);
    socket.resetAndDestroy();
    await sleep(50);
    release();
    const { socket: next, read } = open();
    next.write(post('next'));
    await until(read, told('plain', 'next'));
  });

  it('until a connection has rested for too long', async () => {
    const { socket, read, closed } = open();
    socket.write(post('one'));
    await until(read, told('plain', 'one'));
    const restedAt = performance.now();
    await closed;
    assert.ok(performance.now() - restedAt > KEEP_ALIVE_TIMEOUT_MS);
  });

  it('however long that takes', async () => {
    const { socket, read } = open();
    socket.write(post('wait'));
    await sleep(3 * KEEP_ALIVE_TIMEOUT_MS);
    release();
    await until(read, told('plain', 'wait'));
  });

  it('as long as answers are read', async () => {
    const { socket, closed } = open();
    socket.pause();
    socket.write(post('large'));
    await sleep(UNREAD_TIMEOUT_MS / 2);
    assert.equal(socket.destroyed, false);
    await sleep(2 * UNREAD_TIMEOUT_MS);
    socket.resume();
    await closed;
    assert.ok(socket.bytesRead < LARGE.length, `${socket.bytesRead} bytes came`);
  });

  it('and whoever sends none is told so, and left', async () => {
    const { socket, read, closed } = open();
    const [outcome] = await Promise.all([once(socket, 'end'), closed]);
    assert.deepEqual(outcome, []);
    assert.equal(read(), 'HTTP/1.1 408');
  });

  it('when the server closes, and resting connections end', async () => {
    let letGo: () => void = () => {};
    const closing = startServer((open) => {
      letGo = open;
    });
    await once(closing, 'listening');
    ({ port } = closing.address() as AddressInfo);
    const resting = open();
    const owing = open();
    resting.socket.write(post('rest'));
    owing.socket.write(post('wait'));
    await until(resting.read, told('plain', 'rest'));
    const isClosed = once(closing, 'close');
    closing.close();
    await resting.closed;
    letGo();
    await until(owing.read, told('plain', 'wait'));
    closing.closeIdleConnections();
    await Promise.all([owing.closed, isClosed]);
    ({ port } = server.address() as AddressInfo);
  });
});

/** A server whose short time limits are its own; `onWait` is told how to let the answer go that waits. */
function startServer(onWait: (release: () => void) => void): Server {
  const server = createServer({ connectionsCheckingInterval: 100 }, (request, response) => {
    noteRequest(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => response.end(told('node', Buffer.concat(chunks).toString())));
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.setTimeout(UNREAD_TIMEOUT_MS);
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
  return server.listen(0, '127.0.0.1');
}

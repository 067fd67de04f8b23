import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import fastify from 'fastify';
import { beginEventStream, type EventStream } from './event-stream.ts';

const LINE = { event: 'event', id: '1-1', data: JSON.stringify('x'.repeat(60_000)) };

describe('an event stream', () => {
  const server = fastify();
  let opened = Promise.withResolvers<{ stream: EventStream; closed: Promise<void> }>();
  let isWelcome = true;
  server.get('/stream', (_request, reply) => {
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
    reply.header('x-request-id', 'r-1');
    const stream = beginEventStream(reply, { isWelcome: async () => isWelcome, onClose });
    opened.resolve({ stream, closed });
  });
  after(() => server.close());

  async function open() {
    if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' });
    opened = Promise.withResolvers();
    const { port } = server.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return { socket, ...(await opened.promise) };
  }

  it('cuts off who does not read, and keeps little for them meanwhile', async () => {
    const { socket, stream, closed } = await open();
    socket.pause();
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    const before = process.memoryUsage().external + process.memoryUsage().heapUsed;
    let sent = 0;
    for (; !isClosed && sent < 1_000; sent += 1) {
      stream.send([LINE]);
      await new Promise(setImmediate); // What the kernel takes is gone then.
    }
    assert.ok(isClosed, `after ${sent} messages`);
    const kept = process.memoryUsage().external + process.memoryUsage().heapUsed - before;
    assert.ok(kept < 32 * 1024 * 1024, `${kept} bytes are kept`);
    stream.send([LINE]); // Says nothing to nobody.
    socket.destroy();
  });

  it('is written as the standard has it, with the headers of every answer', async () => {
    const { socket, stream, closed } = await open();
    stream.send([{ event: 'payment', id: '7-8', data: '{"a":1}' }]);
    stream.end();
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    await once(socket, 'close');
    await closed;
    assert.match(text, /^HTTP\/1.1 200 OK\r\n/);
    assert.match(text, /content-type: text\/event-stream/);
    assert.match(text, /x-request-id: r-1/);
    assert.match(text, /retry: 2000\n\n/);
    assert.match(text, /id: 7-8\nevent: payment\ndata: {"a":1}\n\n/);
  });

  it('ends within seconds for whom it is no longer welcome', async () => {
    const { socket, closed } = await open();
    socket.resume();
    isWelcome = false;
    await closed;
    isWelcome = true;
  });
});

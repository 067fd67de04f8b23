import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { sendParts } from './exports.ts';

const PART = Buffer.alloc(1_000_000);
/** More than both ends' kernels keep. */
const KEPT_MAX = 30;
const PARTS = 1_000;
const LOOK_MS = 300;

it('a file is made no further than it is read, and no more once its reader goes', async (t) => {
  let made = 0;
  let hasEnded = false;
  async function* parts() {
    try {
      for (; made < PARTS; made += 1) yield PART;
    } finally {
      hasEnded = true;
    }
  }
  const untilStill = async () => {
    for (let before = -1; made !== before; await sleep(LOOK_MS)) before = made;
    return made;
  };
  const server = fastify();
  server.get('/', (_request, reply) => sendParts(reply, parts()));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  t.after(() => {
    socket.destroy();
    return server.close();
  });
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');

  const unread = await untilStill();
  assert.ok(unread < KEPT_MAX, `${unread} parts for a reader that reads none`);
  socket.resume();
  while (made < unread + KEPT_MAX) await sleep(1);
  socket.destroy();
  assert.ok((await untilStill()) < PARTS);
  assert.ok(hasEnded);
});

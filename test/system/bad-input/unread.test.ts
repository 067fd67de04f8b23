import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../server/listen-live.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { goal, type RefusingServer, startRefusingServer } from './refusing-server.ts';

const CONNECTIONS_MAX = 10;
const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n';
const IMPATIENT = new URL('./impatient-sockets.ts', import.meta.url).href;
/** Much longer than the impatient server’s two seconds. */
const PATIENCE_MS = 4_000;
/** No busy machine needs this long. */
const ANSWER_MAX_MS = 60_000;

describe('a connection on which nothing moves', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await startRefusingServer({
      CONNECTIONS_MAX: String(CONNECTIONS_MAX),
      NODE_OPTIONS: `--import=${IMPATIENT}`,
    });
  });
  after(() => tributary?.stop());

  function open(): Socket {
    const { hostname, port } = new URL(tributary.server.url);
    return connect({ port: Number(port), host: hostname }).on('error', () => {});
  }

  /** On its own connection. */
  async function isServed(): Promise<boolean> {
    const socket = open();
    socket.write(HEALTH);
    const served = await isAnswered(socket).catch(() => false);
    socket.destroy();
    return served;
  }

  it('stays while an answer goes on, a request comes slowly, or the next one is awaited', async () => {
    const stream = await listen(tributary.server.url, tributary.key);
    const idle = open();
    idle.write(HEALTH);
    const slow = open();
    const body = JSON.stringify(goal());
    slow.write(
      `POST /api/v1/goals HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${tributary.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    assert.equal(await isAnswered(idle), true);
    await sleep(PATIENCE_MS);
    slow.write(body);
    assert.equal(await isAnswered(slow), true);
    idle.write(HEALTH);
    assert.equal(await isAnswered(idle), true);
    const isOver = await Promise.race([stream.ended.then(() => true), sleep(50, false)]);
    assert.equal(isOver, false);
    for (const each of [idle, slow, stream]) 'destroy' in each ? each.destroy() : each.close();
  });

  it('is cut off when its answers are not read, and makes room for others', async () => {
    const sockets = Array.from({ length: 2 * CONNECTIONS_MAX }, () => open().pause());
    for (const socket of sockets) {
      socket.write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100));
    }
    await waitUntil(isServed, (served) => !served);
    await waitUntil(isServed, (served) => served);
    for (const socket of sockets) socket.destroy();
  });
});

async function isAnswered(socket: Socket): Promise<boolean> {
  const [bytes] = await once(socket, 'data', { signal: AbortSignal.timeout(ANSWER_MAX_MS) });
  return String(bytes).startsWith('HTTP/1.1 200 ');
}

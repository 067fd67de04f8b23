import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { it, mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitConnections } from './limit-connections.ts';

/** A tenth of them is less than what an address may have anyway. */
const MAX = 500;
const MAX_OF_ONE = 100;
const [GREEDY, OTHER, PROXY] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];

it('no address but a trusted proxy’s holds more than its share of the connections', async () => {
  const log = { warn: mock.fn(), error: mock.fn() };
  const server = createServer((_request, response) => response.end());
  limitConnections(server, { connectionsMax: MAX, trustedProxies: [PROXY] }, log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];

  /** How many of so many connections are answered 200. */
  async function countServed(localAddress: string, count: number): Promise<number> {
    const opened = Array.from({ length: count }, () => connect({ port, localAddress }));
    sockets.push(...opened);
    const answers = await Promise.all(
      opened.map(async (socket) => {
        socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
        const [bytes] = await once(socket, 'data');
        return String(bytes);
      }),
    );
    for (const answer of answers.filter((text) => !text.startsWith('HTTP/1.1 200 '))) {
      assert.match(answer, /^HTTP\/1\.1 503 .*retry-after: 1.*from this address/s);
    }
    return answers.filter((answer) => answer.startsWith('HTTP/1.1 200 ')).length;
  }

  assert.equal(await countServed(GREEDY, MAX_OF_ONE + 20), MAX_OF_ONE);
  assert.equal(await countServed(OTHER, 5), 5);
  assert.equal(await countServed(PROXY, MAX_OF_ONE + 20), MAX_OF_ONE + 20);
  assert.equal(log.warn.mock.callCount(), 1);
  assert.match(String(log.warn.mock.calls[0]?.arguments), /TRUSTED_PROXIES/);

  sockets[0]?.destroy(); // Its place is another's soon.
  for (let tries = 0; (await countServed(GREEDY, 1)) === 0; tries++) {
    assert.ok(tries < 100);
    await sleep(20);
  }
  for (const socket of sockets) socket.destroy();
  server.close();
});

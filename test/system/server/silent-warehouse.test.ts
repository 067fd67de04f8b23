import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { makeDataDir, startServer, type TestServer } from '../../server/start-server.ts';

describe('a warehouse that takes connections and never answers', () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const dataDir = makeDataDir();
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    server = await startServer({ dataDir, env: { CLICKHOUSE_URL: `http://127.0.0.1:${port}` } });
    caller = await addCaller(server.url, dataDir, 'example.com');
  });
  after(async () => {
    await server.stop();
    for (const socket of sockets) socket.destroy();
    silent.close();
    rmSync(dataDir, { recursive: true });
  });

  it('keeps no event of a new visitor waiting for long, and of the next ones not at all', async () => {
    const [first, ...others] = await Promise.all(
      ['v1', 'v2', 'v3'].map(async (visitor) => caller.pageview(visitor)),
    );
    assert.deepEqual(
      [first, ...others].map((answer) => answer?.status),
      [200, 200, 200],
    );
    const tookMs: number[] = [];
    for (const visitor of ['v4', 'v5', 'v6', 'v7']) {
      const asked = performance.now();
      assert.equal((await caller.pageview(visitor)).status, 200);
      tookMs.push(performance.now() - asked);
    }
    // Each that is looked up waits two seconds; one may be, as the ten are over.
    assert.ok(Math.min(...tookMs) < 1_500, `it was not asked again: ${tookMs} ms`);
    assert.equal((await caller.goal('v1', 'signup')).status, 200);
  });
});

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { addCaller } from '../../server/caller.ts';
import { makeDataDir, startServer, type TestServer } from '../../server/start-server.ts';

const SLOW_START = new URL('./slow-start.ts', import.meta.url).href;
/** Nobody listens there. */
const CLICKHOUSE_URL = 'http://127.0.0.1:9';

describe('a start with events that wait and a warehouse that is away', () => {
  const dataDir = makeDataDir();
  let server: TestServer | undefined;
  after(async () => {
    await server?.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('serves, although shipping fails before the server is made', async () => {
    server = await startServer({ dataDir, env: { CLICKHOUSE_URL } });
    const caller = await addCaller(server.url, dataDir, 'example.com');
    assert.equal((await caller.pageview('visitor')).status, 200);
    await server.kill();
    const env = { CLICKHOUSE_URL, NODE_OPTIONS: `--import=${SLOW_START}` };
    server = await startServer({ dataDir, env });
    assert.equal((await caller.at(server.url).pageview('visitor')).status, 200);
    assert.match(server.said(), /A shipment failed/);
  });
});

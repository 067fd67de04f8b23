import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Session } from 'chdb';
import { createEngineServer, type EngineServer } from '#warehouse/engine/engine-server.ts';
import { addCaller } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

describe('a warehouse at CLICKHOUSE_URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-remote-'));
  let engine: Session;
  let engineServer: EngineServer;
  let server: TestServer;

  before(async () => {
    engine = new Session(folder);
    await engine.queryAsync('CREATE DATABASE elsewhere');
    await engine.queryAsync('USE elsewhere');
    const sessions = { writes: [engine], lookups: [engine], queries: [engine] };
    engineServer = createEngineServer(sessions, engine, { folder });
    await new Promise<void>((resolve) => engineServer.http.listen(0, '127.0.0.1', resolve));
    const { port } = engineServer.http.address() as AddressInfo;
    server = await startServer({
      env: { CLICKHOUSE_URL: `http://somebody:secret@127.0.0.1:${port}/elsewhere` },
    });
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
    await engineServer.drain();
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes the place of the engine of our own', () => {
    assert.ok(!readdirSync(server.dataDir).includes('warehouse'));
  });

  it('receives what is accepted and answers queries', async () => {
    const caller = await addCaller(server.url, server.dataDir, 'example.com');
    await caller.pageview('v1', '/?utm_source=far');
    const paid = { service_visitor_id: 'v1', amount: 12.34, currency: 'USD', transaction_id: 't1' };
    assert.equal((await caller.payment(paid)).status, 200);

    const query = { metrics: ['visitors', 'revenue'], dimensions: ['visit:source'] };
    const expected = [{ dimensions: ['far'], metrics: [1, { value: '12.34', currency: 'USD' }] }];
    await waitUntil(
      async () => ((await caller.query(query)).body as { results: unknown }).results,
      (results) => JSON.stringify(results) === JSON.stringify(expected),
    );
  });
});

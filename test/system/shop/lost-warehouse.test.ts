import assert from 'node:assert/strict';
import { renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { dataPathsOf } from '#processes/paths.ts';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import {
  findEngine,
  makeDataDir,
  runCli,
  startServer,
  type TestServer,
} from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { askEngine } from '../../server/warehouse-door.ts';
import { copyShopForEach } from './stopped-shop.ts';

describe('a start', () => {
  const copied = copyShopForEach();

  /** The server's message about lost events, within this time. */
  async function startAndStop(lookMs: number): Promise<string[]> {
    const server = await startServer({ dataDir: copied.shop.dataDir });
    const lines = () => server.said().split('\n');
    const lost = () => lines().filter((line) => line.includes('The warehouse lost events'));
    await waitUntil(
      async () => lost().length,
      (count) => count > 0,
      lookMs,
    ).catch(() => {});
    await server.stop();
    return lost();
  }

  it('reports that the warehouse lost what was shipped to it', async () => {
    rmSync(dataPathsOf(copied.shop.dataDir).warehouse, { recursive: true });
    const [told] = await startAndStop(60_000);
    assert.match(told ?? '', /"lack":"it has 0 of at least 6 events"/);
  });

  it('has nothing to tell when nothing is lost', async () => {
    assert.deepEqual(await startAndStop(1_500), []);
  });
});

describe('a server whose warehouse is lost under it', () => {
  let dataDir: string;
  let server: TestServer;
  let caller: Caller;
  beforeEach(async () => {
    dataDir = makeDataDir();
    server = await startServer({ dataDir });
    caller = await addCaller(server.url, dataDir, 'example.com');
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  const paths = () => dataPathsOf(dataDir);
  const ask = (sql: string) => askEngine(paths().warehouseSocket, sql);

  /** Pageviews and revenue, once this many pageviews are there. */
  async function report(pageviews: number) {
    const asked = async () => {
      const { body } = await caller.query({ metrics: ['pageviews', 'revenue'] });
      return (body as { results?: { metrics: unknown[] }[] }).results?.[0]?.metrics;
    };
    return waitUntil(asked, (found) => found?.[0] === pageviews);
  }

  it('logs which parts it found broken when the engine was started again, once', async () => {
    await caller.pageview('v');
    await report(1);
    const restart = async () => {
      const engine = findEngine(server) as number;
      process.kill(engine, 'SIGKILL');
      await waitUntil(
        async () => findEngine(server),
        (pid) => pid !== undefined && pid !== engine,
      );
      await waitUntil(
        () => ask('SELECT 1').catch(() => []),
        (rows) => rows.length === 1,
      );
    };
    const logged = () =>
      server
        .said()
        .split('\n')
        .filter((line) => line.includes('found broken parts'));
    const [[path = ''] = []] = await ask(
      "SELECT path FROM system.parts WHERE active AND table = 'events' ORDER BY rows DESC LIMIT 1",
    );
    truncateSync(join(path, 'checksums.txt'), 20);
    await restart();
    await waitUntil(
      async () => logged().length,
      (count) => count === 1,
    );
    assert.match(logged().join(), /"parts":\["broken-on-start_/);
    await restart();
    assert.equal(logged().length, 1);
  });

  it('makes it anew with its views, tells, and a rebuild brings the rest back', async () => {
    await caller.pageview('v');
    await report(1);
    // Batches shipped but not deleted would, rightly, be shipped again to the new warehouse.
    await waitUntil(
      async () => readJournalCounts(paths().journals)?.waiting,
      (waiting) => waiting === 0,
    );
    const engine = findEngine(server) as number;
    renameSync(paths().warehouse, `${paths().warehouse}.gone`);
    process.kill(engine, 'SIGKILL');
    assert.equal((await caller.pageview('w')).status, 200);
    await report(1);
    // An insert reaches `events` a moment before the views' tables.
    await waitUntil(
      () => ask('SELECT DISTINCT visitor = (SELECT visitor FROM events) FROM visitors'),
      (found) => String(found) === '1',
    );
    const told = server.said().split('The warehouse had lost its tables.');
    assert.equal(told.length, 2, server.said());
    assert.equal(await server.stop(), 0);
    await runCli(['rebuild'], dataDir);
    server = await startServer({ dataDir });
    caller = caller.at(server.url);
    await report(2);
  });
});

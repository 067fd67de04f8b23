import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { DAY_MS } from '#domain/time/durations.ts';
import { readUptimeMs } from '#storage/keep-clock.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { verifyData } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

const LONG_AGO = Date.now() - 40 * DAY_MS;
const YESTERDAY = Date.now() - DAY_MS;

describe('the retention of a site', () => {
  let server: TestServer;
  let caller: Caller;
  let other: Caller;

  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
    other = await addCaller(server.url, server.dataDir, 'other.example');
    await send(caller, 'long-gone', [LONG_AGO, LONG_AGO + 60_000]);
    await send(caller, 'comes-back', [LONG_AGO, YESTERDAY]);
    await send(caller, 'reported-since', [LONG_AGO]);
    assert.equal((await caller.goal('reported-since', 'renewed')).status, 200);
    await send(other, 'of-the-other', [LONG_AGO]);
    await caller.payment({
      ...{ amount: 10, currency: 'USD', transaction_id: 'old', service_visitor_id: 'long-gone' },
      timestamp: new Date(LONG_AGO + 120_000).toISOString(),
    });
    await untilCounted([5, 3, 3]);
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  /** The site's backend key may set the time. */
  async function send(from: Caller, visitor: string, at: readonly number[]): Promise<void> {
    const events = at.map((occurred_at) => ({
      ...{ site: from.site, type: 'pageview', url: `https://${from.site}/`, occurred_at },
      ...{ service_visitor_id: visitor, user_agent: 'Mozilla/5.0 (X11) Firefox/140.0' },
    }));
    const { status, body } = await from.post('/api/v1/events', { events });
    assert.deepEqual([status, (body as { dropped: unknown[] }).dropped], [200, []]);
  }

  async function counts(from = caller): Promise<unknown[] | undefined> {
    const metrics = ['pageviews', 'visitors', 'new_visitors'];
    const { body } = await from.query({ metrics });
    return (body as { results?: { metrics: unknown[] }[] }).results?.[0]?.metrics;
  }

  const untilCounted = (expected: readonly number[]) =>
    waitUntil(counts, (found) => String(found) === String(expected));

  const keep = (time: string) =>
    runCli(['site', 'set', 'example.com', '--retention', time], server.dataDir);

  async function assertNothingDiffers(): Promise<void> {
    await waitUntil(
      () => verifyData(server.dataDir),
      ({ verified }) => verified,
    );
  }

  it('lets older visits go from warehouse and archive, and what visitors did later stays', async () => {
    // Events are counted as shipped before they are in the archive.
    await waitUntil(
      async () => archiveOf(server.dataDir),
      (archive) => archive.includes('long-gone'),
    );
    await keep('30d');
    await untilCounted([1, 1, 1]);
    await waitUntil(
      async () => expiriesUnderWay(server.dataDir),
      (running) => running === 0,
    );
    const archive = archiveOf(server.dataDir);
    assert.ok(!archive.includes('long-gone'));
    assert.equal(archive.split('comes-back').length - 1, 1);
    assert.equal(archive.split('reported-since').length - 1, 1);
    await assertNothingDiffers();
  });

  it('leaves payments, and other sites', async () => {
    const { body } = await caller.query({ metrics: ['revenue'], dimensions: ['visit:channel'] });
    const [row] = (body as { results: { dimensions: string[]; metrics: unknown[] }[] }).results;
    assert.deepEqual(row, {
      dimensions: ['Unattributed'],
      metrics: [{ value: '10.00', currency: 'USD' }],
    });
    assert.deepEqual(await counts(other), [1, 1, 1]);
    assert.ok(archiveOf(server.dataDir).includes('of-the-other'));
  });

  it('lets go what is sent late the next time, and goes on after a crash', async () => {
    await send(caller, 'sent-late', [LONG_AGO]);
    await untilCounted([2, 2, 2]);
    await keep('29d');
    await waitUntil(
      async () => expiriesUnderWay(server.dataDir),
      (running) => running > 0,
    );
    await server.kill();
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
    other = other.at(server.url);
    await untilCounted([1, 1, 1]);
    await waitUntil(
      async () => expiriesUnderWay(server.dataDir),
      (running) => running === 0,
    );
    assert.ok(!archiveOf(server.dataDir).includes('sent-late'));
    await assertNothingDiffers();
  });

  it('is not undone by a rebuild', async () => {
    assert.equal(await server.stop(), 0);
    const rebuilt = await runCli<{ in_place: boolean }>(['rebuild'], server.dataDir);
    assert.equal(rebuilt.in_place, true, JSON.stringify(rebuilt));
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
    await untilCounted([1, 1, 1]);
  });

  it('waits while the clock is far from what was noted of it, and goes on when they agree', async () => {
    await restartWithClock(-60 * DAY_MS);
    assert.match(server.said(), /The clock says .* Retention deletes nothing until/);
    await send(caller, 'long-ago', [LONG_AGO]);
    await keep('28d');
    await untilCounted([2, 2, 2]);
    await send(caller, 'long-ago', [LONG_AGO + 60_000]);
    await untilCounted([3, 2, 2]);
    await restartWithClock(0);
    await untilCounted([1, 1, 1]);
  });

  /** Restarts the server as if the noted clock differed this much from the real one. */
  async function restartWithClock(differenceMs: number): Promise<void> {
    assert.equal(await server.stop(), 0);
    const trusted = { at: Date.now() + differenceMs, uptimeMs: readUptimeMs() };
    writeFileSync(join(server.dataDir, 'clock.json'), JSON.stringify({ trusted }));
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
  }
});

/** All lines of the archive, decompressed. */
function archiveOf(dataDir: string): string {
  const folder = join(dataDir, 'archive');
  return globSync('*/*.ndjson.zst', { cwd: folder })
    .map((path) => join(folder, path))
    .filter((path) => existsSync(path))
    .map((path) => {
      const bytes = readFileSync(path);
      return bytes.length === 0 ? '' : zstdDecompressSync(bytes).toString();
    })
    .join('');
}

function expiriesUnderWay(dataDir: string): number {
  const ledger = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true });
  const row = ledger.prepare("SELECT count(*) AS n FROM erasures WHERE state != 'done'").get();
  ledger.close();
  return Number(row?.n);
}

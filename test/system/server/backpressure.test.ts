import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { readMetrics } from '../../server/read-metrics.ts';
import { findEngine, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'example.com';
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const PAYMENT = { amount: 10, currency: 'USD', service_visitor_id: 'v-1' };

describe('a server that cannot take more', () => {
  let server: TestServer;
  let caller: Caller;
  let acceptedPageviews = 0;

  before(async () => {
    server = await startServer({ env: { JOURNAL_MAX_MB: '1' } });
    caller = await addCaller(server.url, server.dataDir, SITE);
    assert.equal((await caller.pageview('v-1')).status, 200);
    acceptedPageviews += 1;
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  async function sendPageviews(count: number): Promise<Response> {
    const event = {
      ...{ site: SITE, type: 'pageview', url: `https://${SITE}/`, title: 't'.repeat(200) },
      service_visitor_id: 'v-1',
    };
    const answer = await fetch(`${server.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
      body: JSON.stringify({ events: new Array(count).fill(event) }),
    });
    if (answer.status === 200) acceptedPageviews += count;
    return answer;
  }

  async function assertUnavailable(answer: Response): Promise<void> {
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    const body = (await answer.json()) as { error: { type: string; message: string } };
    assert.equal(body.error.type, 'unavailable');
    assert.match(body.error.message, /Nothing was recorded; try again\.$/);
  }

  /** The server's figures at /metrics. */
  async function readBacklog(): Promise<number> {
    const text = await readMetrics(server);
    return Number(/^tributary_journal_backlog_bytes (\d+)$/m.exec(text)?.[1]);
  }

  function assertAllCounted(): Promise<unknown> {
    return waitUntil(
      async () => (await caller.query({ metrics: ['pageviews'] })).body,
      (body) => JSON.stringify(body).includes(`"metrics":[${acceptedPageviews}]`),
    );
  }

  it('refuses events and goals while the journal is full, and takes them again by itself', async () => {
    const engine = engineOf(server);
    process.kill(engine, 'SIGSTOP');
    let answer = await sendPageviews(400);
    for (let sent = 1; sent < 20 && answer.status === 200; sent++)
      answer = await sendPageviews(400);
    await assertUnavailable(answer);
    assert.ok((await readBacklog()) >= 1_000_000);
    assert.equal((await caller.goal('v-1', 'signup')).status, 503);
    assert.equal((await caller.goal('v-1', 'signup', 'key-1')).status, 503);
    assert.equal((await caller.payment({ ...PAYMENT, transaction_id: 't-1' })).status, 200);

    resume(engine);
    await waitUntil(
      () => sendPageviews(1),
      ({ status }) => status === 200,
    );
    assert.equal((await caller.goal('v-1', 'signup', 'key-1')).status, 200);
    await assertAllCounted();
    await waitUntil(readBacklog, (bytes) => bytes === 0);
  });

  it('refuses events that the journal’s file does not take, and goes on in a new one', async () => {
    const journals = join(server.dataDir, 'journal');
    const [newest = ''] = readdirSync(journals)
      .filter((name) => name.endsWith('.db'))
      .toSorted()
      .toReversed();
    breakTable(join(journals, newest), 'batches');
    await assertUnavailable(await sendPageviews(3));
    assert.equal((await sendPageviews(1)).status, 200);
    await assertAllCounted();
  });

  it('refuses payments while the ledger’s disk does, and records none of them', async () => {
    const report = { ...PAYMENT, transaction_id: 't-2' };
    const mend = breakTable(join(server.dataDir, 'ledger.db'), 'payments');
    assert.equal((await caller.payment(report)).status, 503);
    assert.equal((await caller.payment({ ...report, amount: 20 })).status, 503);
    assert.equal((await caller.query({ metrics: ['revenue'] })).status, 200);
    mend();
    assert.equal((await caller.payment({ ...report, amount: 30 })).status, 200);
    await waitUntil(
      async () => (await caller.query({ metrics: ['revenue'] })).body,
      (body) => JSON.stringify(body).includes('"value":"40.00"'),
    );
  });

  it('refuses events of cookieless sites while the key of the day cannot be made', async () => {
    const keys = join(server.dataDir, 'daily-keys');
    writeFileSync(keys, ''); // No folder can replace it, not even as root.
    const quiet = await addCaller(server.url, server.dataDir, 'quiet.example');
    await runCli(['site', 'set', quiet.site, '--cookieless', 'always'], server.dataDir);
    // A running server learns of a site's choice within a second.
    await waitUntil(
      () => quiet.pageview('v-1'),
      ({ status }) => status === 503,
    );
    rmSync(keys);
    assert.equal((await quiet.pageview('v-1')).status, 200);
    assert.match(server.said(), /The daily key cannot be created or read right now\./);
    assert.doesNotMatch(server.said(), /Internal error/);
  });
});

/** On a slow machine a stopped engine may have been replaced meanwhile by a new one. */
function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
}

/** Makes every insert fail in the database, as on a full disk; returns how to repair it. */
function breakTable(path: string, table: string): () => void {
  const change = (sql: string) => {
    const db = new DatabaseSync(path, { timeout: 5_000 });
    db.exec(sql);
    db.close();
  };
  change(`CREATE TRIGGER full BEFORE INSERT ON ${table}
    BEGIN SELECT raise(ABORT, 'database or disk is full'); END`);
  return () => change('DROP TRIGGER full');
}

function engineOf(server: TestServer): number {
  const engine = findEngine(server);
  assert.ok(engine !== undefined);
  return engine;
}

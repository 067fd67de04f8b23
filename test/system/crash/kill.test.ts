import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { assertVerified } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { untilShipped } from '../../torture/recount.ts';
import { seededChance } from './seeded-chance.ts';
import { type LoadRecord, startShopLoad } from './shop-load.ts';

const SITE = 'example.com';

describe('kill -9 of every process', () => {
  it('between the steps of the tour changes nothing', async () => {
    let server = await startServer();
    const { dataDir } = server;
    async function killAndStart(): Promise<void> {
      await server.kill();
      server = await startServer({ dataDir });
      await waitUntilReady(server.url);
    }
    await waitUntilReady(server.url);

    await addSite(dataDir, SITE);
    await killAndStart();
    const key = await createKey(dataDir, SITE);
    await killAndStart();
    const caller = () => callerOf(server.url, SITE, key);
    const payment = { transaction_id: 'order-1', currency: 'USD', service_visitor_id: 'ada' };
    const steps = [
      () => caller().pageview('ada', '/pricing?utm_source=newsletter'),
      () => caller().goal('ada', 'signup'),
      () => caller().payment({ ...payment, amount: 29.99 }),
      () => caller().payment({ ...payment, amount: 10, refunded: true }),
    ];
    for (const step of steps) {
      // A backend retries after a 503: on a busy machine the visitor's lookup may take too long.
      await waitUntil(step, ({ status }) => status === 200);
      await killAndStart();
    }

    const metrics = ['visitors', 'visits', 'pageviews', 'conversions', 'payments'];
    const money = ['gross_revenue', 'refunds', 'revenue'];
    const query = { metrics: [...metrics, ...money], dimensions: ['visit:source'] };
    const expected = [
      {
        dimensions: ['newsletter'],
        metrics: [1, 1, 1, 1, 1, ...['29.99', '10.00', '19.99'].map(usd)],
      },
    ];
    const answer = await waitUntil(
      async () => toResults((await caller().query(query)).body),
      (results) => JSON.stringify(results) === JSON.stringify(expected),
    );
    assert.deepEqual(answer, expected);
    assert.equal(await server.stop(), 0);
    await assertVerified(dataDir);
    server.cleanUp();
  });
});

const KILLS = ['tree', 'engine', 'web', 'engine', 'web', 'tree'] as const;

describe('kill -9 under load', () => {
  it('loses and doubles nothing that was acknowledged', async (t) => {
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
    t.diagnostic(`seed ${seed}; SEED=${seed} repeats the choices, not the machine's timing`);
    const chance = seededChance(seed);
    const server = await startKillable();
    const load = startShopLoad({ caller: server.caller, chance, lanes: 24, pauseMaxMs: 50 });
    for (const victim of shuffled(KILLS, chance)) {
      await sleep(chance() * 900);
      // Half of the kills hit a shipment: the moment when most can go wrong.
      if (chance() < 0.5) await untilShipping(server.dataDir);
      await sleep(chance() * 60);
      const awayMs = await server.kill(victim);
      t.diagnostic(`killed the ${victim}; ready again after ${Math.round(awayMs)} ms`);
    }
    await load.stop();
    await untilShipped(server);
    assert.equal(await server.stop(), 0);
    await assertExactlyOnce(server.dataDir, load.record, t);
    await assertVerified(server.dataDir);
    server.cleanUp();
  });
});

type Victim = (typeof KILLS)[number];

async function startKillable() {
  let server = await startServer();
  const { dataDir, cleanUp } = server;
  await waitUntilReady(server.url);
  await addSite(dataDir, SITE);
  const key = await createKey(dataDir, SITE);
  return {
    dataDir,
    cleanUp,
    caller: (): Caller => callerOf(server.url, SITE, key),
    stop: () => server.stop(),
    /** Resolves with the time until everything was ready again. */
    async kill(victim: Victim): Promise<number> {
      const startedAt = performance.now();
      if (victim === 'tree') {
        await server.kill();
        server = await startServer({ dataDir });
      } else {
        process.kill(findProcess(server, victim), 'SIGKILL');
      }
      await waitUntilReady(server.url);
      return performance.now() - startedAt;
    },
  };
}

const MAIN_OF = { engine: 'engine-child.', web: 'processes/web.' } as const;

function findProcess(server: TestServer, victim: 'engine' | 'web'): number {
  const pid = server
    .pids()
    .find((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(MAIN_OF[victim]));
  assert.ok(pid !== undefined);
  return pid;
}

function waitUntilReady(url: string): Promise<unknown> {
  return waitUntil(
    () =>
      fetch(`${url}/readyz`).then(
        (response) => response.status,
        () => 0,
      ),
    (status) => status === 200,
  );
}

/** Resolves when a shipment is under way, or after a while without one. */
async function untilShipping(dataDir: string): Promise<void> {
  const { journals } = dataPathsOf(dataDir);
  const until = performance.now() + 2_000;
  const isShipping = () => (readJournalCounts(journals)?.shipments.length ?? 0) > 0;
  while (!isShipping() && performance.now() < until) await sleep(1);
}

function shuffled<T>(list: readonly T[], chance: () => number): T[] {
  return list
    .map((value) => ({ value, rank: chance() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

const usd = (value: string) => ({ value, currency: 'USD' });

function toResults(body: unknown): unknown {
  return (body as { results?: unknown }).results;
}

/** Nothing doubled, nothing that was not sent, and nothing missing that was acknowledged. */
async function assertExactlyOnce(
  dataDir: string,
  record: LoadRecord,
  t: TestContext,
): Promise<void> {
  const { events, money } = await readWarehouse(dataDir);
  const acknowledged = [...record.acknowledgedByEvent].filter(([, is]) => is);
  const paid = [...record.moneyByLabel].filter(([, sent]) => sent.acknowledged);
  t.diagnostic(`answers by status: ${JSON.stringify([...record.answersByStatus])}`);
  t.diagnostic(
    `${acknowledged.length} events and ${paid.length} payments and refunds acknowledged`,
  );

  const statuses = [...record.answersByStatus.keys()];
  assert.deepEqual(
    statuses.filter((status) => ![200, 503, 0].includes(status)),
    [],
  );
  assert.ok(acknowledged.length > 100 && paid.length > 20);

  const labels = events.map(({ label }) => label);
  assert.deepEqual(doubledOf(labels), []);
  assert.deepEqual(missingFrom(new Set(labels), acknowledged), []);
  assert.deepEqual(
    labels.filter((label) => !record.acknowledgedByEvent.has(label)),
    [],
  );

  assert.deepEqual(doubledOf(money.map(({ label }) => label)), []);
  assert.deepEqual(missingFrom(new Set(money.map(({ label }) => label)), paid), []);
  for (const { label, amount_minor } of money) {
    assert.equal(Number(amount_minor), record.moneyByLabel.get(label)?.amountMinor, label);
  }
}

function doubledOf(labels: readonly string[]): string[] {
  return labels.filter((label, index) => labels.indexOf(label) !== index);
}

function missingFrom(found: ReadonlySet<string>, sent: readonly [string, unknown][]): string[] {
  return sent.map(([label]) => label).filter((label) => !found.has(label));
}

type Money = { readonly label: string; readonly amount_minor: string };

function readWarehouse(dataDir: string) {
  const settings = parseSettings({ DATA_DIR: dataDir });
  assert.ok(settings.ok);
  return withWarehouse(settings.value, async (warehouse) => ({
    events: await warehouse.select<{ label: string }>({
      sql: "SELECT if(type = 'goal', name, path) AS label FROM events",
    }),
    money: await warehouse.select<Money>({
      sql: "SELECT concat(kind, ' ', transaction_id) AS label, amount_minor FROM payments FINAL",
    }),
  }));
}

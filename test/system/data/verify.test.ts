import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Count = { what: string; expected: string; found: string; agrees: boolean };
type Verified = { verified: boolean; counts: Count[]; differences: Count[] };

describe('the command verify', () => {
  let server: TestServer;
  let caller: Caller;

  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
    for (const path of ['/', '/pricing']) await caller.pageview('ada', path);
    await caller.goal('ada', 'signup');
    await caller.goal('ada', 'signup', randomUUID());
    await pay({ transaction_id: 't-1', amount: 29.99 });
    await pay({ transaction_id: 't-1', amount: 10, refunded: true });
    await pay({ transaction_id: 't-2', amount: 1_000, currency: 'JPY' });
    await untilCounted('events', 4);
    // It counts nowhere until it is known whose refund it is.
    const refund = { transaction_id: 'r-1', amount: 5, refunded: true };
    await pay(refund);
    await pay({ ...refund, original_transaction_id: 't-1' });
    await untilCounted('refunds', '10.00');
    await waitUntil(verify, ({ counts }) =>
      counts.some(({ what, found }) => what.startsWith('refunds of') && found === '2'),
    );
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  const untilCounted = (metric: string, count: number | string) =>
    waitUntil(
      () => caller.query({ metrics: [metric] }),
      ({ body }) => {
        const [row] =
          (body as { results?: { metrics: (number | { value: string })[] }[] }).results ?? [];
        const found = row?.metrics[0];
        return (typeof found === 'object' ? found.value : found) === count;
      },
    );

  async function pay(payment: Readonly<Record<string, unknown>>): Promise<void> {
    const { status } = await caller.payment({ currency: 'USD', ...payment });
    assert.equal(status, 200);
  }

  function run(...options: string[]): Promise<{ code: number; stdout: string }> {
    const env = { ...process.env, DATA_DIR: server.dataDir };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [MAIN, 'verify', ...options], { env }, (_, stdout) =>
        resolve({ code: child.exitCode ?? -1, stdout }),
      );
    });
  }

  async function verify(): Promise<Verified & { code: number }> {
    const { code, stdout } = await run('--json');
    return { code, ...(JSON.parse(stdout) as Verified) };
  }

  /** On the stopped server's warehouse. */
  function tamper(work: (warehouse: Warehouse) => Promise<void>): Promise<void> {
    const settings = parseSettings({ DATA_DIR: server.dataDir });
    assert.ok(settings.ok);
    return withWarehouse(settings.value, work);
  }

  const CONVERTED = 'payments of example.com in JPY, converted to USD, sum in minor units';
  const ALL_COUNTS = {
    'events of the ledger’s outbox': '1',
    'events of journal 1': '3',
    'goal events of example.com in the archive': '2',
    'pageview events of example.com in the archive': '2',
    'events of visits': '4',
    'pageviews of visits': '2',
    'goals of visits': '2',
    'engagement of visits in milliseconds': '0',
    'payments of example.com in JPY': '1',
    'payments of example.com in JPY, sum in minor units': '1000',
    'payments of example.com in USD': '1',
    'payments of example.com in USD, sum in minor units': '2999',
    'refunds of example.com in USD': '2',
    'refunds of example.com in USD, sum in minor units': '1000',
  };

  it('counts every store while the server runs', async () => {
    const { code, verified, counts, differences } = await verify();
    const found = Object.fromEntries(counts.map((count) => [count.what, count.found]));
    const { [CONVERTED]: dollars, ...others } = found;
    assert.deepEqual(others, ALL_COUNTS);
    assert.ok(Number(dollars) > 0 && Number(dollars) < 1_000, `${dollars}`); // At the day's rate.
    assert.deepEqual({ code, verified, differences }, { code: 0, verified: true, differences: [] });
  });

  it('counts the same when the server does not run, in a table for people', async () => {
    assert.equal(await server.stop(), 0);
    const { code, stdout } = await run();
    assert.equal(code, 0);
    assert.match(stdout, /^events of journal 1 +3 +3 +ok$/m);
    assert.match(stdout, /\nNothing differs\.\n$/);
  });

  it('says what was converted otherwise, also of money in the currency of the site', async () => {
    const change = (by: string) =>
      tamper(async (warehouse) => {
        const sql = `ALTER TABLE payments UPDATE site_minor_0 = site_minor_0 ${by}
          WHERE kind = 'payment' SETTINGS mutations_sync = 2`;
        await warehouse.command({ sql });
      });
    await change('+ 1');
    const differing = (await verify()).differences.map(({ what }) => what);
    await change('- 1');
    assert.deepEqual(
      differing.filter((what) => !what.includes(', on ')),
      [CONVERTED, CONVERTED.replace('JPY', 'USD')],
    );
  });

  it('leaves aside a payment that is not shipped yet', async () => {
    const db = await openDatabase(dataPathsOf(server.dataDir).ledger, { checkpoints: false });
    await db.exec(`
      UPDATE payments SET stated_minor = 1, version = 1000 WHERE transaction_id = 't-2';
      UPDATE counters SET value = 1000 WHERE name = 'payments'`);
    const { differences, counts } = await verify();
    await db.exec("UPDATE payments SET stated_minor = 1000 WHERE transaction_id = 't-2'");
    await db.close();
    assert.deepEqual(differences, []);
    assert.ok(!counts.some(({ what }) => what.includes('JPY')));
  });

  it('says what the warehouse has too much, and exits with 1', async () => {
    const line: EventRow = {
      ...{ site_id: 's', occurred_at: 1_763_700_000_000, accepted_at: 1_763_700_000_000 },
      ...{ event_id: randomUUID(), type: 'pageview', visitor_id: 'eve' },
    };
    await tamper(async (warehouse) => {
      const twice = toLineOpening(1n << 40n);
      const strange = toLineOpening(7n << 40n);
      for (const opening of [twice, strange]) {
        await warehouse.insertLines('events', Buffer.from(opening + toLineTail(line)));
      }
    });
    const { code, differences } = await verify();
    assert.equal(code, 1);
    const ofSite = { expected: '0', found: '2', agrees: false, site: 's', type: 'pageview' };
    const what = 'pageview events of s in the archive';
    assert.deepEqual(differences, [
      { what: 'events of journal 1', expected: '3', found: '4', agrees: false },
      { what: 'events of journal 7', expected: '0', found: '1', agrees: false },
      { what, ...ofSite },
      { what: `${what}, on 2025-11-21`, ...ofSite, day: '2025-11-21' },
    ]);
  });

  it('says what visits and payments lack', async () => {
    await tamper(async (warehouse) => {
      await warehouse.command({ sql: 'TRUNCATE TABLE visits' });
      await warehouse.command({
        sql: "ALTER TABLE payments DELETE WHERE currency = 'USD' SETTINGS mutations_sync = 2",
      });
    });
    const differing = (await verify()).differences.map(({ what }) => what);
    assert.ok(differing.includes('events of visits'));
    assert.ok(differing.includes('payments of example.com in USD, sum in minor units'));
    assert.ok(differing.includes('refunds of example.com in USD'));
    assert.match((await run()).stdout, /^events of visits +4 +0 +DIFFERS$/m);
  });
});

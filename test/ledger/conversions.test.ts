import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beginProvided } from '#ledger/commit/provide-payments.ts';
import { openProjection } from '#ledger/open-ledger.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';
import { createRates, readRow } from './rates-of-test.ts';

const own = makeLedgerForEachTest();

const TABLE = 'Date,USD,JPY\n2026-01-05,1.25,160\n2026-01-02,1.10,150\n';

/** A ledger with a site in euros, its warehouse's rows by id, and the rates they are converted at. */
async function open() {
  const rates = createRates();
  rates.change(TABLE);
  const added = await own.ledger.addSite({ domain: 'a.example', timezone: 'UTC', currency: 'EUR' });
  assert.ok(added.ok);
  const { id } = added.value;
  let projection = await openProjection(own.path, rates);
  const rows = new Map<string, Record<string, unknown>>();

  /** Ships a page of payments to convert again, or what has changed. Returns the ids. */
  async function ship(source: 0 | 3): Promise<string[]> {
    const shipment = await projection.sources[source]?.nextShipment();
    const lines = shipment?.lines.toString().split('\n').filter(Boolean) ?? [];
    const shipped = lines.map(readRow);
    for (const row of shipped) rows.set(`${row.kind} ${row.transaction_id}`, row);
    await shipment?.confirm();
    return shipped.map((row) => String(row.transaction_id));
  }

  return {
    id,
    rates,
    ship,
    /** Ships what has changed, and then pages until nothing is left. Returns the ids of these. */
    async shipAll() {
      while ((await ship(0)).length > 0);
      const converted: string[] = [];
      for (let page = await ship(3); page.length > 0; page = await ship(3)) converted.push(...page);
      await own.ledger.refresh();
      return converted;
    },
    async restart() {
      await projection.close();
      projection = await openProjection(own.path, rates);
    },
    close: () => projection.close(),
    pay: (transactionId: string, amountMinor: bigint, currency: string, more = {}) =>
      own.ledger.acceptPayment(id, {
        ...{ transactionId, amountMinor, currency, renewal: false, refunded: false },
        ...{ paidAt: Date.parse('2026-01-05T12:00Z'), receivedAt: own.clock, ...more },
      }),
    minor: (key: string, place = 0) => rows.get(key)?.[`site_minor_${place}`],
    row: (key: string) => rows.get(key),
    shown: () => own.ledger.findSite(id)?.shown,
    converting: () => own.ledger.findSite(id)?.converting,
    /** As an older version leaves it, whose rows have no money. */
    async forgetMoney() {
      const db = await openDatabase(own.path, { checkpoints: false });
      await db.run("UPDATE sites SET projection = '{}'");
      await db.run("UPDATE counters SET value = value + 1 WHERE name = 'directory'");
      await db.close();
      await own.ledger.refresh();
    },
  };
}

describe('payments of the warehouse', () => {
  it('have money in the currency of their site, at the rate of their day', async (t) => {
    const site = await open();
    t.after(site.close);
    await site.pay('a', 10_00n, 'EUR');
    await site.pay('b', 10_00n, 'USD');
    await site.pay('c', 10_00n, 'NGN');
    await site.shipAll();
    const { rate_0: rate, rate_source_0: source, rate_days_0: days } = site.row('payment b') ?? {};
    assert.deepEqual(
      [site.minor('payment a'), site.minor('payment b'), rate, source, days],
      [...['1000', '800', 0.8, 'ecb', undefined]],
    );
    assert.deepEqual([site.minor('payment c'), site.row('payment c')?.rate_0], ['0', 0]);
    assert.equal(site.minor('payment a', 1), undefined);
  });

  it('have it in two currencies until all have the new one, which is shown then', async (t) => {
    const site = await open();
    t.after(site.close);
    await site.pay('a', 10_00n, 'EUR');
    await site.pay('b', 10_00n, 'USD');
    await site.pay('b', 10_00n, 'USD', { refunded: true });
    await site.shipAll();
    await own.ledger.setSite(site.id, {}, { currency: 'USD' });
    await own.ledger.refresh();
    assert.deepEqual(site.shown(), { currency: 'EUR', place: 0 });
    const again = await site.ship(3);
    assert.deepEqual(again, ['a', 'b', 'b']);
    await site.restart();
    await site.pay('c', 1_00n, 'EUR'); // Later than the walk, and seen in both currencies all the same.
    await site.ship(0);
    assert.deepEqual(
      ['payment a', 'refund b', 'payment c'].map((key) => site.minor(key)),
      [...['1000', '800', '100']],
    );
    assert.deepEqual(
      ['payment a', 'refund b', 'payment c'].map((key) => site.minor(key, 1)),
      [...['1250', '1000', '125']],
    );
    await own.ledger.refresh();
    assert.deepEqual(site.shown(), { currency: 'EUR', place: 0 });
    await site.shipAll();
    assert.deepEqual(site.shown(), { currency: 'USD', place: 1 });
    await site.pay('d', 1_00n, 'EUR');
    await site.ship(0);
    // In place 0 is the default of the table, which nobody reads.
    assert.deepEqual([site.minor('payment d', 0), site.minor('payment d', 1)], ['100', '125']);
  });

  it('begin again if the currency changes again, and end if it changes back', async (t) => {
    const site = await open();
    t.after(site.close);
    await site.pay('a', 10_00n, 'EUR');
    await site.shipAll();
    await own.ledger.setSite(site.id, {}, { currency: 'USD' });
    await site.ship(3);
    await own.ledger.setSite(site.id, {}, { currency: 'JPY' });
    assert.deepEqual(await site.shipAll(), ['a']);
    assert.deepEqual([site.minor('payment a', 1), site.shown()?.currency], ['1600', 'JPY']);
    await own.ledger.setSite(site.id, {}, { currency: 'USD' });
    await site.ship(3);
    await own.ledger.setSite(site.id, {}, { currency: 'JPY' });
    assert.deepEqual(await site.shipAll(), []);
    assert.deepEqual(site.shown(), { currency: 'JPY', place: 1 });
  });

  it('are converted again from the first day with other rates on, if they are not in its currency', async (t) => {
    const site = await open();
    t.after(site.close);
    const on = (date: string) => ({ paidAt: Date.parse(`${date}T12:00Z`) });
    await site.pay('early', 10_00n, 'USD', on('2026-01-02'));
    await site.pay('b', 10_00n, 'USD', on('2026-01-09'));
    await site.pay('own', 10_00n, 'EUR', on('2026-01-09'));
    await site.shipAll();
    assert.equal(site.minor('payment b'), '800');
    site.rates.change(`${TABLE}2026-01-09,2,160\n`);
    assert.deepEqual(await site.shipAll(), ['b']);
    assert.equal(site.minor('payment b'), '500');
    assert.deepEqual(await site.shipAll(), []);
  });

  it('of an older version need money if they are in another currency or have refunds', async (t) => {
    const site = await open();
    t.after(site.close);
    await site.pay('own', 10_00n, 'EUR');
    await site.pay('refunded', 10_00n, 'EUR');
    const refund = { refunded: true, originalTransactionId: 'refunded' };
    await site.pay('r1', 1_00n, 'EUR', refund);
    await site.pay('r2', 2_00n, 'EUR', refund);
    await site.pay('dollars', 10_00n, 'USD');
    await site.shipAll();
    await site.forgetMoney();
    assert.deepEqual([site.shown(), site.converting()], [undefined, { converted: 0, payments: 0 }]);
    assert.deepEqual(await site.ship(3), ['refunded', 'r1', 'r2', 'dollars']);
    await own.ledger.refresh();
    assert.deepEqual([site.shown(), site.converting()], [undefined, { converted: 2, payments: 2 }]);
    assert.deepEqual(await site.ship(3), []);
    await own.ledger.refresh();
    assert.deepEqual([site.shown(), site.converting()], [{ currency: 'EUR', place: 0 }, undefined]);
  });

  it('of an older version are all converted if the currency changes meanwhile', async (t) => {
    const site = await open();
    t.after(site.close);
    await site.pay('own', 10_00n, 'EUR');
    await site.pay('dollars', 10_00n, 'USD');
    await site.shipAll();
    await site.forgetMoney();
    assert.deepEqual(await site.ship(3), ['dollars']);
    await own.ledger.setSite(site.id, {}, { currency: 'USD' });
    assert.deepEqual(await site.shipAll(), ['own', 'dollars']);
    assert.deepEqual([site.minor('payment own'), site.minor('payment dollars')], ['1250', '1000']);
  });

  it('are counted while they are converted, in all processes', async (t) => {
    const site = await open();
    t.after(site.close);
    for (const id of ['a', 'b', 'c']) await site.pay(id, 10_00n, 'EUR');
    await site.shipAll();
    assert.deepEqual(own.ledger.countConverting(), { converted: 0, payments: 0 });
    await own.ledger.setSite(site.id, {}, { currency: 'USD' });
    await site.ship(3);
    const other = await own.open();
    assert.deepEqual(other.countConverting(), { converted: 3, payments: 3 });
    await other.close();
    await site.shipAll();
    assert.deepEqual(own.ledger.countConverting(), { converted: 0, payments: 0 });
  });

  it('have money at the rate of their provider, refunds too, where it leads to the currency', async (t) => {
    const site = await open();
    t.after(site.close);
    const db = await openDatabase(own.path, { checkpoints: false });
    await db.transaction(async (sql) => {
      const provided = await beginProvided(sql, site.id, ['a'], own.clock);
      const paidAt = Date.parse('2026-01-05T12:00Z');
      const refund = { transactionId: 'r', amountMinor: 3_33n, refundedAt: paidAt + 1 };
      const payment = {
        ...{ transactionId: 'a', provider: 'stripe', amountMinor: 10_00n, currency: 'USD', paidAt },
        ...{ renewal: false, providerRate: 'EUR 0.9213' },
        refunds: [{ ...refund, isDispute: false, isWithdrawn: false }],
      };
      await provided.provide({ ids: ['a'], before: [], after: [payment] });
      await provided.flush();
    });
    await db.close();
    await site.shipAll();
    const moneyOf = (place: number) =>
      ['payment a', 'refund r'].map((key) => {
        const row = site.row(key);
        return [row?.[`site_minor_${place}`], row?.[`rate_source_${place}`]].join(' ');
      });
    assert.deepEqual(moneyOf(0), ['921 provider', '307 provider']);
    assert.deepEqual(site.row('payment a')?.rate_0, 0.9213);
    await own.ledger.setSite(site.id, {}, { currency: 'JPY' });
    await site.shipAll();
    assert.deepEqual(moneyOf(1), ['1280 ecb', '426 ecb']);
    await own.ledger.acceptPayment(site.id, {
      ...{ transactionId: 'a', amountMinor: 10_00n, currency: 'USD', renewal: false },
      ...{ refunded: false, visitorId: 'ann', receivedAt: own.clock },
    });
    await own.ledger.setSite(site.id, {}, { currency: 'EUR' });
    await site.shipAll();
    assert.deepEqual([site.row('payment a')?.visitor_id, moneyOf(0)[0]], ['ann', '921 provider']);
  });

  it('are converted again if the time zone of the site changes', async (t) => {
    const site = await open();
    t.after(site.close);
    await site.pay('b', 11_00n, 'USD', { paidAt: Date.parse('2026-01-05T03:00Z') });
    await site.shipAll();
    assert.equal(site.minor('payment b'), '880');
    await own.ledger.setSite(site.id, {}, { timezone: 'America/New_York' });
    assert.deepEqual(await site.shipAll(), ['b']);
    assert.equal(site.minor('payment b'), '1000'); // On Sunday, at the rate of Friday.
  });
});

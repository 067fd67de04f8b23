import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { createCommitEntries } from '#ledger/commit-entries.ts';
import { createPaymentChanges } from '#ledger/payments/change-payment.ts';
import { createFindPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { createPaymentList } from '#ledger/payments/list-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import { LEDGER_SCHEMA } from '#ledger/schema.ts';
import { createReports } from '#report/create-reports.ts';
import { createListPayments } from '#report/payments/list-payments.ts';
import { BAKERY, BAKERY_NOW } from '../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const NOON = Date.parse('2026-11-10T12:00:00Z');
const DAY = 86_400_000;

/** Ada gets 40.00 back under another id, dan everything; bob's refund has no payment. Each reports once a minute. */
const REPORTS: readonly (Partial<PaymentReport> & { readonly transactionId: string })[] = [
  { transactionId: 'ada', amountMinor: 100_00n, customerId: 'ada' },
  { transactionId: 're_1', amountMinor: 40_00n, customerId: 'ada', refunded: true },
  { transactionId: 're_2', amountMinor: 30_00n, customerId: 'bob', refunded: true },
  { transactionId: 'renewal', amountMinor: 20_00n, customerId: 'cem', renewal: true },
  { transactionId: 'dan', amountMinor: 10_00n, customerId: 'dan' },
  { transactionId: 'dan', amountMinor: 10_00n, refunded: true },
  { transactionId: 'eve', amountMinor: 7_00n, currency: 'USD' },
  { transactionId: 'mistake', amountMinor: 50_00n, customerId: 'ada' },
  { transactionId: 'trial', amountMinor: 0n, subscriptionId: 'sub' },
  { transactionId: 'trial-again', amountMinor: 0n, subscriptionId: 'sub' },
  { transactionId: 'trial-alone', amountMinor: 0n },
  { transactionId: 'earlier', amountMinor: 1_00n, paidAt: NOON - 20 * DAY },
];

describe('refunds, trials and their payments', () => {
  let world: WorldWarehouse;
  let db: DatabaseSync;

  before(async () => {
    world = await openWorldWarehouse();
    db = new DatabaseSync(':memory:');
    db.exec(LEDGER_SCHEMA);
    await report(REPORTS);
    createPaymentChanges(db).voidPayment(BAKERY.id, 'mistake', { by: 'key', at: NOON });
    await ship();
  });
  after(async () => {
    db.close();
    await world.close();
  });

  async function report(reports: typeof REPORTS) {
    const defaults = { amountMinor: 0n, currency: 'EUR', renewal: false, refunded: false };
    const entries = reports.map((facts, index) => ({
      ...{ kind: 'payment' as const, siteId: BAKERY.id, claim: undefined },
      report: { ...defaults, receivedAt: NOON + index * 60_000, ...facts },
    }));
    createCommitEntries(db)(entries);
  }

  async function ship() {
    const payments = createFindPayments(db)({ after: 0n, upTo: LAST_VERSION }, 1_000);
    const lines = payments.flatMap(projectPayment).map((row) => JSON.stringify(row));
    await world.warehouse.insertLines('payments', Buffer.from(lines.join('\n')));
  }

  async function figures(...metrics: string[]) {
    const { breakdowns } = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
    const date_range: [string, string] = ['2026-11-01', '2026-11-30'];
    const answer = await breakdowns.answer(BAKERY, { site_id: BAKERY.id, date_range, metrics });
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value.results[0]?.metrics.map((value) =>
      typeof value === 'object' && value !== null ? value.value : value,
    );
  }

  it('net to nothing and count nowhere, if a refund has no payment', async () => {
    assert.deepEqual(await figures('gross_revenue', 'refunds', 'revenue', 'new_revenue'), [
      ...['160.00', '80.00', '80.00', '60.00'],
    ]);
    assert.deepEqual(await figures('payments', 'customers', 'new_customers'), [7, 4, 4]);
    assert.deepEqual(await figures('average_order_value', 'revenue_per_customer'), [
      ...['43.33', '26.67'],
    ]);
  });

  it('count one trial for each subscription', async () => {
    assert.deepEqual(await figures('trials'), [2]);
  });

  it('are listed and summed by status', async () => {
    const payments = createListPayments(world.warehouse, createPaymentList(db));
    const paid = { from: NOON - DAY, before: NOON + DAY };
    const asked = { site: BAKERY, filter: {}, state: undefined, paid, limit: 50 };
    const { results, meta } = await payments.list({ ...asked, withTotals: true });
    const lines = meta.totals?.map(({ status, payments: count, amount, refunded }) =>
      [status, count, amount.value, amount.currency, refunded.value].join(' '),
    );
    assert.deepEqual(lines, [
      'paid 1 7.00 USD 0.00',
      'partly_refunded 1 100.00 EUR 40.00',
      'refunded 1 10.00 EUR 10.00',
      'renewal 1 20.00 EUR 0.00',
      'trial 3 0.00 EUR 0.00',
      'unmatched_refund 1 30.00 EUR 30.00',
      'voided 1 50.00 EUR 0.00',
    ]);
    assert.deepEqual(
      meta.unconverted?.map(({ gross_revenue: { value } }) => value),
      ['7.00'],
    );
    for (const { status, payments: count } of meta.totals ?? []) {
      const found = await payments.list({ ...asked, state: status });
      assert.equal(found.results.length, count);
      assert.ok(found.results.every((each) => each.status === status));
      assert.equal(results.filter((each) => each.status === status).length, count);
    }
    const ada = await payments.list({ ...asked, filter: { customerId: 'ada' }, withTotals: true });
    assert.deepEqual(
      ada.meta.totals?.map(({ status }) => status),
      ['partly_refunded', 'voided'],
    );
    assert.equal(ada.meta.unconverted, undefined);
  });

  it('have the dates of all refunds', async () => {
    const list = createListPayments(world.warehouse, createPaymentList(db));
    const refundsOf = async (id: string) => (await list.find(BAKERY, id))?.refunds;
    const at = (minute: number) => new Date(NOON + minute * 60_000).toISOString();
    const amount = (value: string) => ({ value, currency: 'EUR' });
    assert.deepEqual(await refundsOf('re_1'), [
      { transaction_id: 're_1', amount: amount('40.00'), refunded_at: at(1), matched: true },
    ]);
    assert.deepEqual(await refundsOf('dan'), [
      { transaction_id: 'dan', amount: amount('10.00'), refunded_at: at(5) },
    ]);
    assert.deepEqual(await refundsOf('re_2'), [
      { transaction_id: 're_2', amount: amount('30.00'), refunded_at: at(2) },
    ]);
  });

  it('become a sale and its refund when the payment is reported', async () => {
    await report([{ transactionId: 're_2', amountMinor: 35_00n, customerId: 'bob' }]);
    await ship();
    assert.deepEqual(await figures('gross_revenue', 'refunds', 'payments', 'customers'), [
      ...['165.00', '80.00', 8, 5],
    ]);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addMoney } from '#contract/rows/add-money.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { createPaymentChanges } from '#ledger/change-payment.ts';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { findPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { createPaymentList } from '#ledger/payments/list-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import { createPersonDirectory } from '#ledger/persons/find-person-keys.ts';
import { createSearchPersons } from '#ledger/persons/search-persons.ts';
import { createListPayments } from '#report/payments/list-payments.ts';
import type { ReportSite } from '#report/ports.ts';
import { createReports } from '#report/reports/create-reports.ts';
import type { Database } from '#storage/sql/sql.ts';
import { openInMemory } from '../ledger/open-in-memory.ts';
import { BAKERY, BAKERY_NOW } from '../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const NOON = Date.parse('2026-11-10T12:00:00Z');
const NOVEMBER: [string, string] = ['2026-11-01', '2026-11-30'];

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
  { transactionId: 'trial', amountMinor: 0n, subscriptionId: 'sub', visitorId: 'tess' },
  { transactionId: 'trial-again', amountMinor: 0n, subscriptionId: 'sub', visitorId: 'tess' },
  { transactionId: 'trial-alone', amountMinor: 0n },
  { transactionId: 'earlier', amountMinor: 1_00n, paidAt: NOON - 20 * DAY_MS },
];

describe('refunds, trials and their payments', () => {
  let world: WorldWarehouse;
  let db: Database;

  before(async () => {
    world = await openWorldWarehouse();
    db = await openInMemory();
    await report(REPORTS);
    await createPaymentChanges(db).voidPayment(BAKERY.id, 'mistake', { by: 'key', at: NOON });
    await ship();
  });
  after(async () => {
    await db.close();
    await world.close();
  });

  async function report(reports: typeof REPORTS, siteId: string = BAKERY.id) {
    const defaults = { amountMinor: 0n, currency: 'EUR', renewal: false, refunded: false };
    const entries = reports.map((facts, index) => ({
      ...{ kind: 'payment' as const, siteId, claim: undefined },
      report: { ...defaults, receivedAt: NOON + index * 60_000, ...facts },
    }));
    await createCommitEntries(db)(entries);
  }

  async function ship() {
    const payments = await findPayments(db, { after: 0, upTo: LAST_VERSION }, 1_000);
    const shown = [{ ...BAKERY, place: 0 as const }];
    const rows = payments.flatMap((each) => addMoney(projectPayment(each), shown, () => []));
    const lines = rows.map((row) => JSON.stringify(row));
    await world.warehouse.insertLines('payments', Buffer.from(lines.join('\n')));
  }

  async function figures(...metrics: string[]) {
    return figuresOf(BAKERY, metrics);
  }

  async function figuresOf(site: ReportSite, metrics: readonly string[]) {
    const { breakdowns } = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
    const asked = { site_id: site.id, date_range: NOVEMBER, metrics: [...metrics] };
    const answer = await breakdowns.answer(site, asked);
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value.results[0]?.metrics.map((value) =>
      typeof value === 'object' && value !== null ? value.value : value,
    );
  }

  it('count nowhere, if a refund has no payment', async () => {
    assert.deepEqual(await figures('gross_revenue', 'refunds', 'revenue', 'new_revenue'), [
      ...['130.00', '50.00', '80.00', '60.00'],
    ]);
    assert.deepEqual(await figures('renewal_revenue'), ['20.00']);
    assert.deepEqual(await figures('payments', 'customers', 'new_customers'), [7, 4, 4]);
    assert.deepEqual(await figures('average_order_value', 'revenue_per_customer'), [
      ...['43.33', '26.67'],
    ]);
  });

  it('count one trial for each subscription, in funnels too', async () => {
    assert.deepEqual(await figures('trials'), [2]);
    const { funnel } = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
    const trial = { type: 'payment' as const, kind: 'trial' as const };
    const asked = { site_id: BAKERY.id, date_range: NOVEMBER, steps: [trial, trial] };
    const answer = await funnel.answer(BAKERY, asked);
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(
      answer.value.results[0]?.steps.map(({ reached }) => reached),
      [1, 0],
    );
  });

  it('are listed and summed by status', async () => {
    const payments = createListPayments(world.warehouse, createPaymentList(db));
    const paid = { from: NOON - DAY_MS, before: NOON + DAY_MS };
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

  it('are summed by status, too, where their credited visits say which are meant', async () => {
    const at = NOON - 3_600_000;
    const visit = { visit_id: crypto.randomUUID(), visit_started_at: at };
    const event = { event_id: crypto.randomUUID(), occurred_at: at, accepted_at: at, ...visit };
    const fair = { site_id: BAKERY.id, type: 'pageview' as const, path: '/', source: 'Fair' };
    await world.addEvents([{ ...event, ...fair, visitor_id: 'tess' }]);
    const payments = createListPayments(world.warehouse, createPaymentList(db));
    const asked = { site: BAKERY, filter: {}, state: undefined, limit: 1, withTotals: true };
    for (const [source, expected] of [
      ['Fair', ['trial 2 0.00 EUR']],
      ['Elsewhere', []],
    ] as const) {
      const { meta } = await payments.list({ ...asked, source, state: 'paid' });
      const lines = meta.totals?.map((of) =>
        [of.status, of.payments, of.amount.value, of.amount.currency].join(' '),
      );
      assert.deepEqual(lines, expected, source);
    }
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

  it('count nowhere until they are matched, whatever they name', async () => {
    const site = { ...BAKERY, id: 'site_unmatched' };
    const unmatched = { refunded: true, visitorId: 'vera' };
    await report(
      [
        { transactionId: 'p30', amountMinor: 30_00n, visitorId: 'vera', customerId: 'c1' },
        { transactionId: 'u10', amountMinor: 10_00n, ...unmatched, customerId: 'other' },
        { transactionId: 'u40', amountMinor: 40_00n, ...unmatched },
        { transactionId: 'u7', amountMinor: 7_00n, ...unmatched, originalTransactionId: 'nope' },
        { transactionId: 'u8', amountMinor: 8_00n, refunded: true, customerId: 'g', renewal: true },
        { transactionId: 'u9', amountMinor: 9_00n, refunded: true, email: 'g@shop.example' },
      ],
      site.id,
    );
    await ship();
    const metrics = ['gross_revenue', 'refunds', 'new_revenue', 'renewal_revenue', 'payments'];
    assert.deepEqual(await figuresOf(site, metrics), ['30.00', '10.00', '20.00', '0.00', 1]);
    const { people } = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
    const ledger = { ...createPersonDirectory(db), searchPersons: createSearchPersons(db) };
    const asked = { site_id: site.id, date_range: NOVEMBER, id: 'vera', isPersonal: true };
    const story = await people(ledger).story.answer(site, asked);
    assert.ok(story.ok, JSON.stringify(story));
    const { totals, payments, unattributed } = story.value ?? {};
    assert.deepEqual(
      [totals?.gross_revenue, totals?.refunds, totals?.revenue, unattributed?.revenue].map(
        (money) => money?.value,
      ),
      ['30.00', '10.00', '20.00', '20.00'],
    );
    assert.deepEqual(payments?.map((each) => each.transaction_id).toSorted(), ['p30', 'u10']);

    await report([{ transactionId: 'nope', amountMinor: 7_00n, visitorId: 'vera' }], site.id);
    await report([{ transactionId: 'p40', amountMinor: 40_00n, visitorId: 'vera' }], site.id);
    await ship();
    assert.deepEqual(await figuresOf(site, metrics), ['77.00', '57.00', '20.00', '0.00', 3]);
  });
});

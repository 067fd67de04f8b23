import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChecker } from '#contract/checker.ts';
import { type PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const ANSWERS = createChecker(PurchasePathsAnswer);

/**
 * The bakery of test/worlds/bakery.ts, by hand. First payments of November: anna's 29.90, a day after her
 * only visit before; ben's 100.00, 12:30 hours after his, paid back; cleo's 20.00 and nobody's 5.55, without any.
 */
describe('the way to a purchase', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(BAKERY_EVENTS);
    await world.addPayments(BAKERY_PAYMENTS);
  });
  after(() => world?.close());

  function pathsOf(asked: Partial<PurchasePaths>) {
    const { purchasePaths } = createReports({
      ...{ warehouse: world.warehouse, now: () => BAKERY_NOW },
    });
    const november: [string, string] = ['2026-11-01', '2026-11-30'];
    return purchasePaths.answer(BAKERY, { site_id: BAKERY.id, date_range: november, ...asked });
  }
  async function ask(asked: Partial<PurchasePaths>): Promise<PurchasePathsAnswer> {
    const answer = await pathsOf(asked);
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(ANSWERS.findFaults(answer.value), [], 'the answer is as OpenAPI says');
    return answer.value;
  }
  /** `Google | 1 29.90 | 86400 | 1`: customers and revenue, medians of time and visits. */
  async function lines(asked: Partial<PurchasePaths>): Promise<string[]> {
    const { results } = await ask(asked);
    return results.map(({ dimensions, customers, revenue, time, visits }) =>
      [...dimensions, `${customers} ${revenue.value}`, time.median, visits.median].join(' | '),
    );
  }

  it('is shown in classes, each with customers and revenue', async () => {
    const { results, meta, query } = await ask({ time_bounds: [3_600, 86_400], visit_bounds: [2] });
    const euros = (value: string) => ({ value, currency: 'EUR' });
    const none = { customers: 0, revenue: euros('0.00') };
    assert.deepEqual(results, [
      {
        dimensions: [],
        customers: 4,
        revenue: euros('55.45'),
        time: {
          // Between ben's 45,000 s and anna's 86,400 s.
          ...{ median: 65_700, p90: 82_260 },
          buckets: [
            { from: 0, below: 3_600, ...none },
            { from: 3_600, below: 86_400, customers: 1, revenue: euros('0.00') },
            { from: 86_400, below: null, customers: 1, revenue: euros('29.90') },
          ],
        },
        visits: {
          ...{ median: 1, p90: 1 },
          buckets: [
            { from: 1, below: 2, customers: 2, revenue: euros('29.90') },
            { from: 2, below: null, ...none },
          ],
        },
        unknown: { customers: 2, revenue: euros('25.55') },
      },
    ]);
    assert.equal(meta.total_rows, 1);
    assert.deepEqual(query.attribution, { model: 'first_touch', lookback_days: null });
  });

  it('has an hour, a day and more between its classes when nothing is said', async () => {
    const { results } = await ask({});
    assert.deepEqual(
      results[0]?.time.buckets.map(({ customers }) => customers),
      [0, 1, 1, 0, 0, 0, 0, 0],
    );
    assert.deepEqual(
      results[0]?.visits.buckets.map(({ from, below }) => [from, below]),
      [
        ...[
          [1, 2],
          [2, 3],
          [3, 4],
          [4, 5],
          [5, 6],
          [6, 11],
        ],
        [11, null],
      ],
    );
  });

  it('is broken down by the credited visit, and filtered by it', async () => {
    assert.deepEqual(await lines({ dimensions: ['visit:source'] }), [
      'Unattributed | 2 25.55 |  | ',
      'Google | 1 29.90 | 86400 | 1',
      'Newsletter | 1 0.00 | 45000 | 1',
    ]);
    assert.deepEqual(await lines({ filters: [['is', 'visit:source', ['Google']]] }), [
      '1 29.90 | 86400 | 1',
    ]);
    assert.deepEqual(await lines({ date_range: ['2026-11-06', '2026-11-30'] }), ['0 0.00 |  | ']);
  });

  it('goes back to its lookback window', async () => {
    const { results } = await ask({ attribution: { model: 'last_touch', lookback_days: 1 } });
    assert.equal(results[0]?.unknown.customers, 2);
    assert.equal(results[0]?.time.median, 65_700);
  });

  it('is refused by events and times, and with bounds in no order', async () => {
    const answer = await pathsOf({
      ...{ dimensions: ['event:page', 'time:day'], time_bounds: [60, 60], visit_bounds: [5, 3] },
    });
    assert.ok(!answer.ok);
    const [page, day, ...others] = answer.error.details;
    assert.match(page?.message ?? '', /"event:page" is not .* Known: payment:.*visit:bot/);
    assert.equal(day?.path, '/dimensions/1');
    assert.deepEqual(
      others.map(({ path }) => path),
      ['/time_bounds', '/visit_bounds'],
    );
  });
});

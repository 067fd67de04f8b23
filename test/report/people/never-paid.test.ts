import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { METRICS } from '#report/catalog.ts';
import { createReports, type Reports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

/** All metrics, the paid ones alone, and both with dimensions of each kind that go together. */
const BREAKDOWNS = [
  [],
  ['visit:source'],
  ['event:page'],
  ['time:day'],
  ['visit:source', 'time:day'],
];
const OF_PAYMENTS = [['payment:product'], ['payment:currency', 'visitor:first_source']];
const PAID = [...METRICS.values()].filter((metric) =>
  Object.values(metric.parts).every(({ of }) => of === 'payments'),
);

describe('a site that was never paid', () => {
  let world: WorldWarehouse;
  let queries: Reports;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(BAKERY_EVENTS);
    queries = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
  });
  after(() => world.close());

  it('answers as one whose only payment was long before', async () => {
    const never = await askAll(queries);
    const [payment] = BAKERY_PAYMENTS;
    assert.ok(payment !== undefined);
    const at = Date.parse('2020-02-02T12:00:00Z');
    const { visitor_id: _, ...ofNobody } = payment;
    await world.addPayments([{ ...ofNobody, occurred_at: at, paid_at: at }]);
    assert.deepEqual(never, await askAll(queries));
    assert.ok(never.some(({ results }) => results.length > 1));
  });
});

async function askAll({ breakdowns: report }: Reports) {
  const paid = PAID.map(({ name }) => name);
  const asked = [
    ...BREAKDOWNS.map((dimensions) => ({ dimensions, metrics: ['visitors', ...paid] })),
    ...[...BREAKDOWNS, ...OF_PAYMENTS].map((dimensions) => ({ dimensions, metrics: paid })),
  ];
  const answers = [];
  for (const query of asked) {
    const whole = { site_id: BAKERY.id, date_range: ['2026-11-01', '2026-11-30'], ...query };
    const answer = await report.answer(BAKERY, whole as Parameters<typeof report.answer>[1]);
    assert.ok(answer.ok, JSON.stringify(answer));
    answers.push(answer.value);
  }
  return answers;
}

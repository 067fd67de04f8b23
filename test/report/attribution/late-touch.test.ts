import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const SITE = { id: 'site_late', timezone: 'Europe/Berlin', currency: 'EUR' };
/** Ten in the morning in Berlin. */
const ARRIVED_AT = Date.parse('2026-11-20T09:00:00Z');
const MIDNIGHT = Date.parse('2026-11-19T23:00:00Z');

/** Each visitor comes once, from a source of the same name, at ten. */
const PAYMENTS = [
  ['reported-first', ARRIVED_AT - 2_000],
  ['same-second', ARRIVED_AT - 999],
  ['date-only', MIDNIGHT],
  ['paid-long-before', ARRIVED_AT - 11 * MINUTE_MS],
  ['paid-the-day-before', MIDNIGHT - 1],
] as const;

describe('a payment whose visitor has no visit before it', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(PAYMENTS.map(([visitor], index) => pageviewOf(visitor, index)));
    await world.addPayments(
      PAYMENTS.map(([visitor, paidAt]) => ({
        site_id: SITE.id,
        kind: 'payment',
        transaction_id: visitor,
        occurred_at: paidAt,
        paid_at: paidAt,
        amount_minor: 1_00n,
        currency: 'EUR',
        visitor_id: visitor,
      })),
    );
  });
  after(() => world.close());

  for (const model of ['first_touch', 'last_touch'] as const) {
    it(`is credited to a visit minutes later or on its date, and to none later (${model})`, async () => {
      const { breakdowns: report } = createReports({
        warehouse: world.warehouse,
        now: () => ARRIVED_AT,
      });
      const answer = await report.answer(SITE, {
        site_id: SITE.id,
        date_range: '7d',
        metrics: ['payments'],
        dimensions: ['visit:source'],
        attribution: { model },
      });
      assert.ok(answer.ok);
      const paid = answer.value.results.map(({ dimensions, metrics }) => [
        dimensions[0],
        metrics[0],
      ]);
      assert.deepEqual(Object.fromEntries(paid), {
        'reported-first': 1,
        'same-second': 1,
        'date-only': 1,
        Unattributed: 2,
      });
    });
  }
});

function pageviewOf(visitor: string, index: number) {
  return {
    site_id: SITE.id,
    occurred_at: ARRIVED_AT,
    accepted_at: ARRIVED_AT,
    event_id: `00000000-0000-7000-8000-00000000000${index}`,
    type: 'pageview',
    visitor_id: visitor,
    visit_id: `00000000-0000-7000-9000-00000000000${index}`,
    visit_started_at: ARRIVED_AT,
    path: '/',
    source: visitor,
  } as const;
}

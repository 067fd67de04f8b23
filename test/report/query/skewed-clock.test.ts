import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SentQuery } from '#contract/query.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const NINE_MINUTES_MS = 540_000;
const ARRIVED_AT = Date.parse('2026-11-21T10:00:00Z');
const SITE = { id: 'site_clock', timezone: 'UTC', currency: 'EUR' };

/** One page and a server's goal a minute later; the visit's start is in nine minutes. */
const EVENT = {
  site_id: SITE.id,
  occurred_at: ARRIVED_AT,
  accepted_at: ARRIVED_AT,
  event_id: '00000000-0000-7000-8000-000000000001',
  type: 'pageview',
  visitor_id: 'early',
  visit_id: '00000000-0000-7000-8000-000000000002',
  visit_started_at: ARRIVED_AT + NINE_MINUTES_MS,
  path: '/',
  source: 'Google',
} as const satisfies EventRow;

describe('a visitor whose clock runs nine minutes ahead', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    const goalAt = ARRIVED_AT + 60_000;
    await world.addEvents([
      EVENT,
      { ...EVENT, type: 'goal', name: 'signup', occurred_at: goalAt, source: '', extends_visit: 0 },
    ]);
    await world.addPayments([
      {
        site_id: SITE.id,
        kind: 'payment',
        transaction_id: 'p1',
        occurred_at: ARRIVED_AT + 120_000,
        paid_at: ARRIVED_AT + 120_000,
        amount_minor: 29_90n,
        currency: 'EUR',
        visitor_id: 'early',
      },
    ]);
  });
  after(() => world.close());

  async function metricsOf(query: Pick<SentQuery, 'metrics' | 'dimensions' | 'attribution'>) {
    const { breakdowns: report } = createReports({
      warehouse: world.warehouse,
      now: () => ARRIVED_AT,
    });
    const answer = await report.answer(SITE, { site_id: SITE.id, date_range: 'today', ...query });
    assert.ok(answer.ok);
    return answer.value.results;
  }

  for (const model of ['first_touch', 'last_touch'] as const) {
    it(`earns its source the goal and the payment that follow at once (${model})`, async () => {
      const results = await metricsOf({
        metrics: ['conversions', 'revenue'],
        dimensions: ['visit:source'],
        attribution: { model },
      });
      assert.deepEqual(results, [
        { dimensions: ['Google'], metrics: [1, { value: '29.90', currency: 'EUR' }] },
      ]);
    });
  }
  it('stays no longer for it', async () => {
    assert.deepEqual(await metricsOf({ metrics: ['visit_duration'] }), [
      { dimensions: [], metrics: [0] },
    ]);
  });
});

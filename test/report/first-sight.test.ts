import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { findVisitors } from '#warehouse/events/find-visitors.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const SITE = { id: 'site_sight', timezone: 'UTC', currency: 'EUR' } as const;
const NOON = Date.UTC(2026, 10, 20, 12);

describe('whether a visitor and a visit are a bot’s', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    // Each is sent apart, the later first: the order of arrival must not matter.
    for (const event of [
      pageview('a-person', 2, 'declared'),
      pageview('a-person', 1, ''),
      pageview('a-bot', 1, 'declared'),
      pageview('a-bot', 2, ''),
      goal('goal-first', 1, ''),
      pageview('goal-first', 2, 'declared'),
    ]) {
      await world.addEvents([event]);
    }
  });
  after(() => world.close());

  it('is that of the first pageview of the visitor', async () => {
    const visitors = ['a-person', 'a-bot', 'goal-first', 'nobody'];
    const found = await findVisitors(
      world.warehouse,
      visitors.map((visitorId) => ({ siteId: SITE.id, visitorId })),
    );
    assert.deepEqual(
      found.map((visitor) => visitor?.botClass),
      ['', 'declared', 'declared', undefined],
    );
  });

  it('is that of the first pageview of the visit', async () => {
    const { breakdowns: report } = createReports({ warehouse: world.warehouse, now: () => NOON });
    const query = { site_id: SITE.id, metrics: ['visits'], date_range: 'day' };
    const answer = await report.answer(SITE, query);
    assert.ok(answer.ok);
    assert.deepEqual(answer.value.results[0]?.metrics, [1]);
  });
});

function pageview(visitorId: string, minute: number, botClass: string): EventRow {
  const at = NOON - 60 * MINUTE_MS + minute * MINUTE_MS;
  const visit = visitorId.length.toString(16).padStart(12, '0');
  return {
    site_id: SITE.id,
    occurred_at: at,
    accepted_at: at,
    event_id: crypto.randomUUID(),
    type: 'pageview',
    visitor_id: visitorId,
    visit_id: `019b7d5e-0000-7000-9000-${visit}`,
    visit_started_at: NOON - 59 * MINUTE_MS,
    path: '/',
    ...(botClass !== '' && { bot_class: botClass, bot_reason: 'Googlebot' }),
  };
}

function goal(visitorId: string, minute: number, botClass: string): EventRow {
  return { ...pageview(visitorId, minute, botClass), type: 'goal', name: 'signup' };
}

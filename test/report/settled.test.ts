import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import { createQuestions } from '#report/questions.ts';
import { createVisitSettler } from '#warehouse/settle-visits.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const SITE = { id: 'site_settled', timezone: 'UTC', currency: 'EUR' } as const;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const NOW = Date.UTC(2026, 10, 11, 12);

describe('visits of days that are over', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(Array.from({ length: 11 }, (_, day) => pageview(`v${day}`, day)));
  });
  after(() => world.close());

  const settler = () => createVisitSettler(world.warehouse, () => NOW);
  async function countSettled(): Promise<number> {
    const [row] = await world.warehouse.select<{ n: string }>({
      sql: 'SELECT count() AS n FROM settled_visits',
    });
    return Number(row?.n);
  }
  async function visitsBySource(): Promise<string> {
    const { report } = createQuestions({ warehouse: world.warehouse, now: () => NOW });
    const answer = await report.answer(SITE, {
      site_id: SITE.id,
      metrics: ['visits', 'visitors', 'views_per_visit'],
      dimensions: ['visit:source'],
      date_range: '30d',
    });
    assert.ok(answer.ok);
    return answer.value.results.map((row) => [...row.dimensions, ...row.metrics].join(' ')).join();
  }

  it('are settled once, the present day and the night before it never', async () => {
    assert.equal(await settler().run(), 10);
    assert.equal(await countSettled(), 10);
    assert.equal(await settler().run(), 0);
    assert.equal(await visitsBySource(), 'Direct 11 11 1');
  });

  it('take what comes late into account at once, and settle again after an hour', async (context) => {
    await world.addEvents([pageview('v3', 3, { occurred_at: at(3) - 1, source: 'Google' })]);
    assert.equal(await visitsBySource(), 'Direct 10 10 1,Google 1 1 2');

    let hours = 0;
    context.mock.method(performance, 'now', () => hours * 3_600_000);
    const hourly = settler();
    assert.equal(await hourly.run(), 0, 'questions under way may still read the day as it was');
    assert.equal(await countSettled(), 10);
    hours = 1;
    await hourly.run();
    context.mock.restoreAll();
    await untilSettled(hourly, { visitor: 'v3', source: 'Google' });
    assert.equal(await visitsBySource(), 'Direct 10 10 1,Google 1 1 2');
  });

  it('are read from the events of visits when a copy is half done', async () => {
    await world.warehouse.command({
      sql: `ALTER TABLE settled_visits DELETE WHERE visitor_id = 'v5' SETTINGS mutations_sync = 2`,
    });
    assert.equal(await visitsBySource(), 'Direct 10 10 1,Google 1 1 2');
  });

  it('are not taken twice when a copy was made twice', async () => {
    await settler().run();
    await world.warehouse.command({
      sql: 'INSERT INTO settled_visits SELECT * FROM settled_visits',
    });
    assert.equal(await visitsBySource(), 'Direct 10 10 1,Google 1 1 2');
  });

  async function untilSettled(
    hourly: ReturnType<typeof settler>,
    params: { readonly visitor: string; readonly source: string },
  ): Promise<void> {
    for (const until = performance.now() + 20_000; performance.now() < until; ) {
      await hourly.run();
      const rows = await world.warehouse.select({
        sql: `SELECT 1 FROM settled_visits
          WHERE visitor_id = {visitor:String} AND source = {source:String}`,
        params,
      });
      if (rows.length === 1 && (await countSettled()) === 10) return;
    }
    assert.fail('the day is not settled again');
  }
});

function at(day: number): number {
  return FIRST_DAY + day * DAY_MS + 3_600_000;
}

function pageview(visitor: string, day: number, more: Partial<EventRow> = {}): EventRow {
  return {
    site_id: SITE.id,
    occurred_at: at(day),
    accepted_at: at(day),
    event_id: crypto.randomUUID(),
    type: 'pageview',
    visitor_id: visitor,
    visit_id: `00000000-0000-7000-8000-${String(day).padStart(12, '0')}`,
    visit_started_at: at(day),
    path: '/',
    ...more,
  };
}

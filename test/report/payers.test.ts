import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import { createPayerSettler } from '#warehouse/settle-payers.ts';
import { createVisitSettler } from '#warehouse/settle-visits.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../worlds/open-warehouse.ts';

const SITE = { id: 'site_payers', timezone: 'UTC', currency: 'EUR' } as const;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const NOW = Date.UTC(2026, 10, 11, 12);

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
  await world.addEvents([
    ...Array.from({ length: 11 }, (_, day) => visit(`v${day}`, day)).flat(),
    ...visit('v3', 5, { source: 'Later' }),
    ...visit('bot', 2, { bot_class: 'declared' }),
  ]);
  await world.addPayments([paid('v3'), paid('v3', 'refund'), paid('v4'), paid('v10'), paid('bot')]);
  await createVisitSettler(world.warehouse, () => NOW).run();
});
after(() => world.close());

/** Hours after the world's present. */
const settlerAt = (hours = 0) =>
  createPayerSettler(world.warehouse, () => NOW + hours * HOUR_MS, { eventsMin: 1 });

describe('first visits of payers', () => {
  it('are those of whoever paid, of days that are over, and are made once', async () => {
    assert.equal(await settlerAt().run(), 1);
    assert.deepEqual(await firstVisits(), [
      { visitor: 'v3', day: 3, source: '', pages: ['/', '/end'], goal_names: ['signup'] },
      { visitor: 'v4', day: 4, source: '', pages: ['/', '/end'], goal_names: ['signup'] },
    ]);
    assert.equal(await settlerAt(48).run(), 1, 'two more days are over');
    assert.equal(await settlerAt(48).run(), 0);
    assert.equal((await firstVisits()).length, 3);
  });

  it('are made anew when somebody pays, joins another, or comes late', async () => {
    await world.addPayments([paid('v5')]);
    assert.equal(await settlerAt(49).run(), 1);
    await world.addPersons([['visitor', 'v6', 'v5', SITE.id]]);
    assert.equal(await settlerAt(50).run(), 1);
    await world.addEvents(visit('v1', 0));
    assert.equal(await settlerAt(51).run(), 1);
    assert.equal(await settlerAt(52).run(), 0);
  });

  it('are not made anew for as long as that took a hundred times', async (context) => {
    let hours = 0;
    context.mock.method(performance, 'now', () => hours * HOUR_MS);
    const warehouse = {
      ...world.warehouse,
      async command(statement: { readonly sql: string }) {
        await world.warehouse.command(statement);
        if (statement.sql.includes('INSERT')) hours += 0.01;
      },
    };
    const slow = createPayerSettler(warehouse, () => NOW + 53 * HOUR_MS, { eventsMin: 1 });
    await world.addPayments([paid('v6')]);
    assert.equal(await slow.run(), 1);
    await world.addPayments([paid('v6')]);
    hours = 0.99;
    assert.equal(await slow.run(), 0);
    hours = 1.01;
    assert.equal(await slow.run(), 1);
  });

  it('are replaced although the clock went back', async () => {
    await world.addPayments([paid('v6')]);
    assert.equal(await settlerAt(52).run(), 1);
    assert.equal(await settlerAt(52).run(), 0);
    assert.equal(await settlerAt(53).run(), 0);
  });

  it('are made anew soon when rows are missing, or there twice', async () => {
    await world.warehouse.command({
      sql: 'INSERT INTO payers_first_visits SELECT * FROM payers_first_visits WHERE run IN (SELECT run FROM payers_runs FINAL) LIMIT 1',
    });
    assert.equal(await settlerAt(58).run(), 1);
    const [row] = await world.warehouse.select<{ run: string }>({
      sql: 'SELECT toString(run) AS run FROM payers_runs FINAL',
    });
    await world.warehouse.command({
      sql: `ALTER TABLE payers_first_visits DROP PARTITION ID '${row?.run}'`,
    });
    assert.equal(await settlerAt(59).run(), 1);
    assert.equal(
      (await firstVisits()).some(({ visitor }) => visitor === 'v4'),
      true,
    );
  });

  it('are the same however many statements find them', async () => {
    const before = await firstVisits();
    await world.addPayments([paid('v7')]);
    const some = { eventsMin: 1, payersAtOnce: 1 };
    await createPayerSettler(world.warehouse, () => NOW + 62 * HOUR_MS, some).run();
    assert.deepEqual(
      (await firstVisits()).map(({ visitor }) => visitor).toSorted(),
      [...before.map(({ visitor }) => visitor), 'v7'].toSorted(),
    );
  });

  it('are not named when somebody took some away meanwhile', async () => {
    await world.addPayments([paid('v8')]);
    const runs = async () =>
      world.warehouse.select({ sql: 'SELECT run, site_id FROM payers_runs FINAL' });
    const before = await runs();
    let statements = 0;
    const warehouse = {
      ...world.warehouse,
      async command(statement: { readonly sql: string }) {
        await world.warehouse.command(statement);
        statements += 1;
        if (statements !== 3) return;
        await world.warehouse.command({
          sql: 'TRUNCATE TABLE payers_first_visits',
        });
      },
    };
    const some = { eventsMin: 1, payersAtOnce: 1 };
    await createPayerSettler(warehouse, () => NOW + 63 * HOUR_MS, some).run();
    assert.equal(statements, 3, 'it goes no further');
    assert.deepEqual(await runs(), before);
    assert.equal(await settlerAt(64).run(), 1);
    assert.notDeepEqual(await runs(), before);
  });

  it('are taken away a quarter of an hour after others have replaced them', async (context) => {
    await world.addPayments([paid('v9')]);
    assert.equal(await settlerAt(65).run(), 1);
    const runs = await countRuns();
    assert.ok(runs > 1);
    const settler = settlerAt(65);
    mockHours(context, 1);
    await settler.run();
    assert.equal(await countRuns(), runs, 'questions under way may read them');
    mockHours(context, 1.3);
    await settler.run();
    assert.equal(await countRuns(), 1);
  });

  it('are not made for a site of few events', async () => {
    const few = createPayerSettler(world.warehouse, () => NOW + 99 * DAY_MS, { eventsMin: 1_000 });
    assert.equal(await few.run(), 0);
  });
});

function mockHours(context: TestContext, hours: number): void {
  context.mock.restoreAll();
  context.mock.method(performance, 'now', () => hours * HOUR_MS);
}

type FirstVisit = { readonly visitor: string; readonly day: number };

/** Of the run that counts, in the order of their days. */
async function firstVisits(): Promise<FirstVisit[]> {
  const names = Array.from({ length: 11 }, (_, day) => `v${day}`);
  return world.warehouse.select({
    sql: `SELECT {names:Array(String)}[indexOf(arrayMap(name -> cityHash64(name), {names:Array(String)}), visitor)] AS visitor,
        toDayOfMonth(visit_started_at) - 1 AS day, source, arraySort(pages) AS pages, goal_names
      FROM payers_first_visits WHERE run IN (SELECT run FROM payers_runs FINAL) ORDER BY day`,
    params: { names },
  });
}

async function countRuns(): Promise<number> {
  const rows = await world.warehouse.select({
    sql: 'SELECT DISTINCT run FROM payers_first_visits',
  });
  return rows.length;
}

/** A visit of two pages and a goal. */
function visit(visitor: string, day: number, more: Partial<EventRow> = {}): EventRow[] {
  const at = FIRST_DAY + day * DAY_MS + HOUR_MS;
  const first: EventRow = {
    site_id: SITE.id,
    occurred_at: at,
    accepted_at: at,
    event_id: crypto.randomUUID(),
    type: 'pageview',
    visitor_id: visitor,
    visit_id: crypto.randomUUID(),
    visit_started_at: at,
    path: '/',
    ...more,
  };
  const later = (type: EventRow['type'], more: Partial<EventRow>): EventRow => ({
    ...first,
    ...more,
    type,
    event_id: crypto.randomUUID(),
    occurred_at: at + 1_000,
  });
  return [first, later('goal', { name: 'signup' }), later('pageview', { path: '/end' })];
}

let payments = 0;
function paid(visitor: string, kind: WorldPayment['kind'] = 'payment'): WorldPayment {
  payments += 1;
  return {
    site_id: SITE.id,
    kind,
    transaction_id: `t${payments}`,
    occurred_at: NOW - HOUR_MS,
    paid_at: NOW - HOUR_MS,
    amount_minor: 1_00n,
    currency: 'EUR',
    visitor_id: visitor,
  };
}

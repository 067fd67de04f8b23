import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import { createQuestions } from '#report/questions.ts';
import { forgetBefore } from '#warehouse/forget-before.ts';
import { forgetVisitors } from '#warehouse/forget-visitors.ts';
import { createPayerSettler } from '#warehouse/settle-payers.ts';
import { createVisitSettler } from '#warehouse/settle-visits.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../worlds/open-warehouse.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const NOW = FIRST_DAY + 9.5 * DAY_MS;

let world: WorldWarehouse;
let siteNumber = 0;
let site = '';

/**
 * Each rule has a site of its own: ann comes from Google to `/a` on day 1 and from a newsletter to `/b` on
 * day 2, bob from Bing to `/c` on day 3 and again today; ann paid 1.00 when first visits were found.
 */
async function openSite(): Promise<void> {
  siteNumber += 1;
  site = `site_rules_${siteNumber}`;
  await world.addEvents([
    visit('ann', 1, { source: 'Google', path: '/a', hostname: 'a.example' }),
    visit('ann', 2, { source: 'Newsletter', path: '/b' }),
    visit('bob', 3, { source: 'Bing', path: '/c' }),
    visit('bob', 9, { source: 'Today', path: '/today' }),
  ]);
  await world.addPayments([paid('ann', 1)]);
  await createVisitSettler(world.warehouse, () => NOW).run();
}
const keep = () => createPayerSettler(world.warehouse, () => NOW, { eventsMin: 1 }).run();

before(async () => {
  world = await openWorldWarehouse();
});
after(() => world.close());

describe('first visits that are kept', () => {
  // First, while there is little that erasing has to write anew.
  it('go with whoever is erased, at once', async () => {
    await openSite();
    await world.addPayments([paid('bob', 2)]);
    await keep();
    const told = questions(60_000);
    assert.equal(await money('visit:source', {}, [], told), 'Bing 2.00,Google 1.00');
    const forgotten = {
      siteId: site,
      visitors: ['ann'],
      transactions: ['t1'],
      batchIds: ['1'],
      until: NOW,
    };
    await forgetVisitors(world.warehouse, forgotten, (work) => work());
    const [left] = await world.warehouse.select<{ visits: string; payments: string }>({
      sql: `SELECT (SELECT count() FROM payers_first_visits WHERE visitor = cityHash64('ann') AND site_id = {site:String}) AS visits,
          (SELECT count() FROM payments WHERE payer = cityHash64('ann') AND site_id = {site:String}) AS payments`,
      params: { site },
    });
    assert.deepEqual(left, { visits: '0', payments: '0' });
    assert.equal(await money('visit:source'), 'Bing 2.00,Unattributed 1.00');
    const before = 'by a question that had been told of them before';
    assert.equal(await money('visit:source', {}, [], told), 'Bing 2.00,Unattributed 1.00', before);
  });

  it('go with visits that are too old', async () => {
    await openSite();
    await keep();
    const since = FIRST_DAY + 2 * DAY_MS;
    await forgetBefore(
      world.warehouse,
      { siteId: site, since, until: NOW, batchIds: ['1'] },
      (work) => work(),
    );
    const left = await world.warehouse.select({
      sql: 'SELECT 1 FROM payers_first_visits WHERE site_id = {site:String}',
      params: { site },
    });
    assert.deepEqual(left, []);
    assert.equal(await money('visit:source'), 'Newsletter 1.00');
    await keep();
    assert.equal(await money('event:page'), '/b 1.00');
  });

  it('are where money by source, by page and by goal comes from', async () => {
    await openSite();
    assert.equal(await money('visit:source'), 'Google 1.00');
    await keepMarked();
    assert.equal(await money('visit:source'), 'Kept 1.00');
    assert.equal(await money('event:page'), '/kept 1.00');
    assert.equal(await money('event:goal'), 'kept 1.00');
    assert.equal(await money('visitor:first_source'), 'Kept 1.00');
  });

  it('are no answer by bots, by another model, in a window, or of an event that is asked for', async () => {
    await openSite();
    const bot = { bot_class: 'declared', bot_reason: 'Bot', source: 'Bot' };
    await world.addEvents([visit('ann', 0, bot)]);
    await createVisitSettler(world.warehouse, () => NOW).run();
    await keepMarked();
    assert.equal(await money('visit:bot'), 'Bot 1.00');
    assert.equal(await money('visit:channel'), 'Direct 1.00');
    assert.equal(await money('visit:source', { model: 'last_touch' }), 'Newsletter 1.00');
    assert.equal(await money('visit:source', { lookback_days: 30 }), 'Google 1.00');
    assert.equal(await money('event:hostname'), 'a.example 1.00');
    const isA = [['is', 'event:page', ['/a']]];
    assert.equal(await money('event:page', {}, isA), '/a 1.00');
  });

  it('count only in a run that is named, and whole', async () => {
    await openSite();
    await keep();
    await markRun({ isNamed: false });
    assert.equal(await money('visit:source'), 'Google 1.00', 'a crash before it was named');
    await nameRun();
    assert.equal(await money('visit:source'), 'Kept 1.00');
    await world.warehouse.command({
      sql: "INSERT INTO payers_first_visits SELECT * FROM payers_first_visits WHERE site_id = {site:String} AND source = 'Kept'",
      params: { site },
    });
    assert.equal(await money('visit:source'), 'Google 1.00', 'rows are there twice');
    await nameRun();
    assert.equal(await money('visit:source'), 'Google 1.00', 'a run without rows');
  });

  it('are the newest run’s when two made one at the same time', async () => {
    await openSite();
    await Promise.all([keep(), keep()]);
    assert.equal(await money('visit:source'), 'Google 1.00');
    const runs = await world.warehouse.select({
      sql: 'SELECT DISTINCT run FROM payers_first_visits WHERE site_id = {site:String}',
      params: { site },
    });
    assert.equal(runs.length, 2);
  });

  it('give way to what comes late, on that day alone', async () => {
    await openSite();
    await keepMarked();
    await world.addEvents([visit('cat', 5, { source: 'Other' })]);
    assert.equal(await money('visit:source'), 'Kept 1.00');
    await world.addEvents([visit('ann', 1, { source: 'Late', path: '/late' }, -1_000)]);
    assert.equal(await money('visit:source'), 'Late 1.00');
    assert.equal(await money('event:page'), '/a 1.00,/late 1.00');
    assert.equal(await money('visitor:first_source'), 'Late 1.00');
  });

  it('give way to an earlier visit that comes late', async () => {
    await openSite();
    await keepMarked();
    await world.addEvents([visit('ann', 0, { source: 'Earlier', path: '/0' })]);
    assert.equal(await money('visit:source'), 'Earlier 1.00');
    assert.equal(await money('event:page'), '/0 1.00');
  });

  it('give way to the next visit when what comes late shows a bot', async () => {
    await openSite();
    await keepMarked();
    await world.addEvents([visit('ann', 1, { bot_class: 'declared' }, -1_000)]);
    assert.equal(await money('visit:source'), 'Newsletter 1.00');
    assert.equal(await money('event:page'), '/b 1.00');
  });

  it('are given up when many days have changed', async () => {
    await openSite();
    await keepMarked();
    await world.addEvents([3, 4, 5, 6].map((day) => visit('cat', day, { source: 'Other' })));
    assert.equal(await money('visit:source'), 'Google 1.00');
  });

  it('are looked for among all visits for who paid since', async () => {
    await openSite();
    await keepMarked();
    await world.addPayments([paid('bob', 2)]);
    assert.equal(await money('visit:source'), 'Bing 2.00,Kept 1.00');
    assert.equal(await money('event:page'), '/c 2.00,/kept 1.00');
  });

  it('are looked for again for who was joined since', async () => {
    await openSite();
    await world.addEvents([visit('cat', 0, { source: 'Early' })]);
    await world.addPersons([['visitor', 'ann', 'dan', site]]);
    await createVisitSettler(world.warehouse, () => NOW).run();
    await keepMarked();
    assert.equal(await money('visit:source'), 'Kept 1.00');
    await world.addPersons([['visitor', 'cat', 'dan', site]]);
    assert.equal(await money('visit:source'), 'Early 1.00');
  });

  it('are no longer theirs of whom their visitor is no part any more', async () => {
    await openSite();
    await world.addEvents([visit('cat', 0, { source: 'Early' })]);
    await world.addPersons([
      ['visitor', 'ann', 'dan', site],
      ['visitor', 'cat', 'dan', site],
    ]);
    await createVisitSettler(world.warehouse, () => NOW).run();
    await keepMarked();
    assert.equal(await money('visit:source'), 'Kept 1.00');
    await world.addPersons([['visitor', 'cat', 'bob', site]]);
    assert.equal(await money('visit:source'), 'Google 1.00');
  });

  it('are looked for when a payment turns out to be somebody’s', async () => {
    await openSite();
    await world.addPayments([{ ...paid('', 4), transaction_id: 'renewal' }]);
    await keepMarked();
    assert.equal(await money('visit:source'), 'Unattributed 4.00,Kept 1.00');
    await world.addPersons([['transaction', 'renewal', 'bob', site]]);
    assert.equal(await money('visit:source'), 'Bing 4.00,Kept 1.00');
  });

  it('have those of the open days beside them, and behind them', async () => {
    await openSite();
    await world.addEvents([
      visit('cat', 9, { source: 'Open', path: '/open' }),
      visit('ann', 9, { source: 'Open' }),
    ]);
    await world.addPayments([paid('cat', 2)]);
    await keepMarked();
    assert.equal(await money('visit:source'), 'Open 2.00,Kept 1.00');
    assert.equal(await money('event:page'), '/open 2.00,/kept 1.00');
  });

  it('have those of the open days of anybody who is the same person', async () => {
    await openSite();
    await world.addEvents([visit('cat', 9, { source: 'Open', path: '/open' })]);
    await world.addPersons([
      ['visitor', 'cat', 'dan', site],
      ['visitor', 'ann', 'eve', site],
    ]);
    await world.addPayments([paid('dan', 2)]);
    await keepMarked();
    assert.equal(await money('visit:source'), 'Open 2.00,Kept 1.00');
    assert.equal(await money('event:page'), '/open 2.00,/kept 1.00');
  });

  it('are given up when they end long ago', async () => {
    await openSite();
    await keepMarked();
    await world.addEvents([visit('cat', 13, { source: 'Other' })]);
    assert.equal(await money('visit:source'), 'Google 1.00');
  });

  it('are second to one of an open day whose first event was before', async () => {
    await openSite();
    const midnight = 9 * DAY_MS;
    await world.addEvents([
      { ...visit('eve', 0, { source: 'Second', path: '/2' }), ...beganAt(midnight - 30_000) },
      {
        ...visit('eve', 0, { source: 'First', path: '/1' }),
        ...beganAt(midnight + 60_000, -120_000),
      },
      { ...visit('fay', 0, { source: 'Kept', path: '/k' }), ...beganAt(midnight - 90_000) },
      {
        ...visit('fay', 0, { source: 'Next', path: '/n' }),
        ...beganAt(midnight + 60_000, -70_000),
      },
    ]);
    await world.addPayments([paid('eve', 3), paid('fay', 2)]);
    await createVisitSettler(world.warehouse, () => NOW).run();
    await keep();
    assert.equal(await money('visit:source'), 'First 3.00,Kept 2.00,Google 1.00');
    assert.equal(await money('event:page'), '/1 3.00,/k 2.00,/a 1.00');
  });
});

/** Keeps them, and then others in their place: so an answer tells where it came from. */
async function keepMarked(): Promise<void> {
  await keep();
  await markRun({ isNamed: true });
}

async function markRun({ isNamed }: { readonly isNamed: boolean }): Promise<void> {
  await world.warehouse.command({
    sql: `INSERT INTO payers_first_visits
      SELECT * REPLACE (run + 1 AS run, if(source = '', '', 'Kept') AS source, ['/kept'] AS pages, ['kept'] AS goal_names)
      FROM payers_first_visits WHERE site_id = {site:String}`,
    params: { site },
  });
  if (isNamed) await nameRun();
}

/** Names the run behind the one that is named. */
async function nameRun(): Promise<void> {
  await world.warehouse.command({
    sql: `INSERT INTO payers_runs SELECT * REPLACE (run + 1 AS run, made_at + 1 AS made_at)
      FROM payers_runs FINAL WHERE site_id = {site:String}`,
    params: { site },
  });
}

function questions(settledKnownForMs = 0) {
  return createQuestions({ warehouse: world.warehouse, now: () => NOW, settledKnownForMs });
}

/** Revenue by a dimension, the most first. */
async function money(
  dimension: string,
  attribution: { model?: 'last_touch'; lookback_days?: number } = {},
  filters: unknown[][] = [],
  { report } = questions(),
): Promise<string> {
  const answer = await report.answer(
    { id: site, timezone: 'UTC', currency: 'EUR' },
    {
      site_id: site,
      metrics: ['revenue'],
      dimensions: [dimension],
      date_range: '7d',
      attribution,
      filters,
    },
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value.results
    .map((row) =>
      [...row.dimensions, ...row.metrics.map((m) => (m as { value: string }).value)].join(' '),
    )
    .join();
}

/** Events of a visitor and a day are of one visit, which begins at one in the morning. */
function visit(visitor: string, day: number, more: Partial<EventRow> = {}, afterMs = 0): EventRow {
  const at = FIRST_DAY + day * DAY_MS + HOUR_MS;
  return {
    site_id: site,
    occurred_at: at + afterMs,
    accepted_at: at + afterMs,
    event_id: crypto.randomUUID(),
    type: 'pageview',
    visitor_id: visitor,
    visit_id: `00000000-0000-7000-8000-${Buffer.from(visitor).toString('hex')}${String(day).padStart(6, '0')}`,
    visit_started_at: at,
    path: '/',
    ...more,
  };
}

/** When a visit began, and its event was, in milliseconds after the first day. */
function beganAt(startMs: number, afterMs = 0): Partial<EventRow> {
  const startedAt = FIRST_DAY + startMs;
  const at = startedAt + afterMs;
  const visit_id = crypto.randomUUID();
  return { visit_id, visit_started_at: startedAt, occurred_at: at, accepted_at: at };
}

function paid(visitor: string, euros: number): WorldPayment {
  return {
    site_id: site,
    kind: 'payment',
    transaction_id: `t${euros}`,
    occurred_at: NOW - HOUR_MS,
    paid_at: NOW - HOUR_MS,
    amount_minor: BigInt(euros * 100),
    currency: 'EUR',
    visitor_id: visitor,
  };
}

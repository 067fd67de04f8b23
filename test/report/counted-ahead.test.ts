import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { EventRow } from '#contract/event-row.ts';
import type { ReportWarehouse } from '#report/ports.ts';
import { createQuestions } from '#report/questions.ts';
import { createCountSettler } from '#warehouse/settle-counts.ts';
import { waitUntil } from '../wait-until.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';
import { withoutCounts } from './without-counts.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const EPOCH = Date.UTC(2026, 9, 1);
/** The last two of ten days are open. */
const NOW = EPOCH + 9 * DAY_MS + 3 * 3_600_000;
const METRICS = [
  ...['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration', 'views_per_visit'],
];
const DIMENSIONS = [
  ...['', 'visit:channel', 'visit:source', 'visit:campaign', 'visit:entry_page', 'visit:country'],
  ...['visit:browser', 'visit:os', 'visit:device', 'event:page'],
  ...['time:hour', 'time:day', 'time:day', 'time:week', 'time:month'],
];
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'];

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
});
after(() => world.close());

const anyAt = fc.integer({ min: 0, max: 10 * 96 - 1 }).map((n) => EPOCH + n * QUARTER_MS);
/** On the first of the open days. */
const anyToday = fc.integer({ min: 8 * 96, max: 9 * 96 - 1 }).map((n) => EPOCH + n * QUARTER_MS);
const anyVisitOf = (startedAt: fc.Arbitrary<number>) =>
  fc.record({
    visitor: fc.constantFrom('ann', 'bob', 'cat', 'dan'),
    startedAt,
    source: fc.constantFrom('', 'Direct', 'Google'),
    country: fc.constantFrom('', 'DE', 'FR'),
    isBot: fc.constantFrom(false, false, false, true),
    deeds: fc.uniqueArray(
      fc.record({
        type: fc.constantFrom('pageview', 'pageview', 'goal', 'engagement'),
        afterMs: fc.integer({ min: -500_000, max: 4 * 3_600_000 }),
        path: fc.constantFrom('/', '/a', ''),
      }),
      { minLength: 1, maxLength: 4, selector: (deed) => deed.afterMs },
    ),
  });
// Many just before and after midnight: by the visitor's clock, which is not ours.
const anyVisit = anyVisitOf(
  fc.oneof(
    anyAt,
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -600_000, max: 600_000 }))
      .map(([day, ms]) => EPOCH + day * DAY_MS + ms),
  ),
);
const anyQuestion = fc.record({
  dimension: fc.constantFrom(...DIMENSIONS),
  ends: fc.tuple(anyAt, anyAt).filter(([a, b]) => a !== b),
  offsetMs: fc.constantFrom(0, 0, 0, 60_000),
  timezone: fc.constantFrom(...ZONES),
});

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

describe('counts made ahead', () => {
  it('agree with counting when asked, whatever comes late', async () => {
    let sites = 0;
    const statements = { ahead: 0, returning: 0, all: 0 };
    const drawn = fc.record({
      visits: fc.array(anyVisit, { minLength: 4, maxLength: 30, size: 'max' }),
      late: fc.array(anyVisit, { maxLength: 1 }),
      today: fc.array(anyVisitOf(anyToday), { maxLength: 6 }),
      questions: fc.array(anyQuestion, { minLength: 3, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 8, maxLength: 8 }), async (worlds) => {
        const asked = worlds.map((each, index) => ({ ...each, siteId: `site_${sites + index}` }));
        sites += worlds.length;
        const eventsOf = (what: 'visits' | 'late' | 'today') =>
          asked.flatMap((each) => each[what].flatMap((visit) => toEvents(each.siteId, visit)));
        const askAll = async () => {
          for (const { siteId, questions } of asked) {
            for (const question of questions) {
              const ahead = await ask(siteId, question, world.warehouse, statements);
              const counted = await ask(siteId, question, withoutCounts(world.warehouse));
              assert.deepEqual(ahead, counted, JSON.stringify(question));
            }
          }
        };
        await world.addEvents(eventsOf('visits'));
        await world.settleAndCount(NOW);
        await world.addEvents(eventsOf('today'));
        await askAll();
        await world.addEvents(eventsOf('late'));
        await askAll();
      }),
      { numRuns: 2, endOnFailure: true },
    );
    assert.ok(statements.ahead > statements.all / 10, JSON.stringify(statements));
    assert.ok(statements.returning > statements.all / 200, JSON.stringify(statements));
  });

  it('are taken only while they are of what is there, and only when they are complete', async () => {
    const siteId = 'site_by_hand';
    const pages = [0, 1, 2, 9].map((day) => pageview(siteId, `v${day % 2}`, day));
    await world.addEvents(pages);
    await world.settleAndCount(NOW);
    assert.deepEqual(await visitors(siteId), 2);

    await world.warehouse.command({
      sql: `ALTER TABLE settled_counts UPDATE amount = 5 WHERE site_id = '${siteId}' SETTINGS mutations_sync = 2`,
    });
    assert.equal(await visitors(siteId), 10, 'they are taken: a tenth of them is wrong now');

    await world.addEvents([pageview(siteId, 'v3', 1)]);
    assert.equal(await visitors(siteId), 3 + 4, 'of the first day alone: the second one changed');

    await world.warehouse.command({
      sql: `ALTER TABLE settled_days DELETE WHERE site_id = '${siteId}' SETTINGS mutations_sync = 2`,
    });
    assert.equal(await visitors(siteId), 3, 'no run tells that it came to its end');
  });

  it('are made once, made again after an hour when they are outdated, and taken away', async (context) => {
    const siteId = 'site_again';
    await world.addEvents([pageview(siteId, 'v1', 0), pageview(siteId, 'v2', 1)]);
    await world.settleAndCount(NOW);
    let hours = 0;
    context.mock.method(performance, 'now', () => hours * 3_600_000);
    const settler = createCountSettler(world.warehouse, () => NOW, { fromEvents: 0 });
    await settler.run();
    assert.deepEqual(await runsByDay(siteId), [1, 1]);
    await world.addEvents([{ ...pageview(siteId, 'v2', 1), event_id: crypto.randomUUID() }]);
    await settleVisitsOf(siteId);
    await settler.run();
    assert.deepEqual(await runsByDay(siteId), [1, 1], 'not at once');
    hours = 1;
    await settler.run();
    assert.deepEqual(await runsByDay(siteId), [1, 2]);
    await settler.run();
    context.mock.restoreAll();
    await waitUntil(
      () => runsByDay(siteId),
      (runs) => isDeepStrictEqual(runs, [1, 1]),
      60_000,
    );
    await settler.run();
    await waitUntil(
      () => runsWithRows(siteId),
      (runs) => runs === 2,
      60_000,
    );
    assert.equal(await visitors(siteId), 2);
  });

  it('leave out rows of a run that broke off', async () => {
    const siteId = 'site_broken_off';
    await world.addEvents([pageview(siteId, 'v1', 0)]);
    await world.settleAndCount(NOW);
    await world.warehouse.command({
      sql: `INSERT INTO settled_counts SELECT * REPLACE (run + 65536 AS run) FROM settled_counts
        WHERE site_id = '${siteId}'`,
    });
    assert.equal(await visitors(siteId), 1);
    await createCountSettler(world.warehouse, () => NOW, { fromEvents: 0 }).run();
    await waitUntil(
      () => runsWithRows(siteId),
      (runs) => runs === 1,
      60_000,
    );
  });

  it('are not made of sites with few events', async () => {
    const siteId = 'site_small';
    await world.addEvents([pageview(siteId, 'v1', 0)]);
    await createCountSettler(world.warehouse, () => NOW, { fromEvents: 2 }).run();
    assert.deepEqual(await runsByDay(siteId), []);
  });
});

async function settleVisitsOf(siteId: string): Promise<void> {
  await world.warehouse.command({
    sql: `ALTER TABLE settled_visits DELETE WHERE site_id = '${siteId}' SETTINGS mutations_sync = 2`,
  });
  const { createVisitSettler } = await import('#warehouse/settle-visits.ts');
  await createVisitSettler(world.warehouse, () => NOW).run();
}

async function runsWithRows(siteId: string): Promise<number> {
  const [row] = await world.warehouse.select<{ runs: string }>({
    sql: `SELECT uniqExact(run) AS runs FROM settled_counts WHERE site_id = '${siteId}'`,
  });
  return Number(row?.runs);
}

/** How many runs have counted each day. */
async function runsByDay(siteId: string): Promise<number[]> {
  const rows = await world.warehouse.select<{ runs: string }>({
    sql: `SELECT count() AS runs FROM settled_days WHERE site_id = '${siteId}' GROUP BY day ORDER BY day`,
  });
  return rows.map(({ runs }) => Number(runs));
}

async function visitors(siteId: string): Promise<unknown> {
  const question = { dimension: '', ends: [EPOCH, EPOCH + 10 * DAY_MS] as const, offsetMs: 0 };
  const [[, metrics] = []] = await ask(siteId, question, world.warehouse);
  return metrics?.[0];
}

type Asked = {
  readonly dimension: string;
  readonly ends: readonly [number, number];
  readonly offsetMs: number;
  readonly timezone?: string;
};

async function ask(
  siteId: string,
  { dimension, ends, offsetMs, timezone = 'UTC' }: Asked,
  warehouse: ReportWarehouse,
  statements = { ahead: 0, returning: 0, all: 0 },
): Promise<(readonly [readonly (string | null)[], readonly unknown[]])[]> {
  const counting: ReportWarehouse = {
    select(statement) {
      statements.all += 1;
      if (statement.sql.includes('settled_counts')) statements.ahead += 1;
      if (/was_before FROM \(SELECT visitor, .* FROM returning_visitors/.test(statement.sql))
        statements.returning += 1;
      return warehouse.select(statement);
    },
    selectFile: warehouse.selectFile,
  };
  const { report } = createQuestions({ warehouse: counting, now: () => NOW, settledKnownForMs: 0 });
  const instant = (at: number) => new Date(at + offsetMs).toISOString();
  const isEvent = dimension.startsWith('event:');
  const answer = await report.answer(
    { id: siteId, timezone: 'UTC', currency: 'EUR' },
    {
      site_id: siteId,
      metrics: isEvent ? ['visitors', 'pageviews'] : METRICS,
      dimensions: dimension === '' ? [] : [dimension],
      date_range: [instant(Math.min(...ends)), instant(Math.max(...ends))],
      timezone,
    },
  );
  assert.ok(answer.ok);
  return answer.value.results.map((row) => [row.dimensions, row.metrics] as const);
}

function toEvents(siteId: string, visit: Drawn<typeof anyVisit>): EventRow[] {
  const visit_id = crypto.randomUUID();
  return visit.deeds.map((deed) => ({
    ...pageview(siteId, visit.visitor, 0),
    type: deed.type as EventRow['type'],
    occurred_at: visit.startedAt + deed.afterMs,
    accepted_at: visit.startedAt + deed.afterMs,
    visit_id,
    visit_started_at: visit.startedAt,
    path: deed.path,
    name: deed.type === 'goal' ? 'signup' : '',
    source: visit.source,
    country: visit.country,
    bot_class: visit.isBot ? 'declared' : '',
  }));
}

function pageview(siteId: string, visitor: string, day: number): EventRow {
  const at = EPOCH + day * DAY_MS + 3_600_000;
  return {
    ...{ site_id: siteId, visitor_id: visitor, type: 'pageview', path: '/' },
    ...{ occurred_at: at, accepted_at: at, visit_started_at: at },
    event_id: crypto.randomUUID(),
    visit_id: crypto.randomUUID(),
  };
}

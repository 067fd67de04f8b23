import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import type { Query } from '#contract/query.ts';
import { createQuestions } from '#report/questions.ts';
import type { Statement } from '#warehouse/client.ts';
import { forgetBefore } from '#warehouse/forget-before.ts';
import { forgetVisitors } from '#warehouse/forget-visitors.ts';
import { RefusedQuestionError } from '#warehouse/refused-question.ts';
import { createCountSettler } from '#warehouse/settle-counts.ts';
import { createVisitSettler } from '#warehouse/settle-visits.ts';
import { waitUntil } from '../wait-until.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 9, 1);
const NOW = FIRST_DAY + 9.5 * DAY_MS;

let world: WorldWarehouse;
let siteNumber = 0;
let site = '';

/** Each rule has a site of its own: a visitor on each of four days, and one today. */
async function openSite(others: () => readonly EventRow[] = () => []): Promise<void> {
  siteNumber += 1;
  site = `site_counted_${siteNumber}`;
  const own = [0, 1, 2, 3, 9].map((day) => pageview(`v${day}`, day));
  await world.addEvents([...own, ...others()]);
  await createVisitSettler(world.warehouse, () => NOW).run();
}
const settler = (warehouse: Pick<WorldWarehouse['warehouse'], 'select' | 'command'>) =>
  createCountSettler(warehouse, () => NOW, { fromEvents: 0 });
const count = () => settler(world.warehouse).run();

before(async () => {
  world = await openWorldWarehouse();
});
after(() => world.close());

describe('what is counted ahead', () => {
  // First, while there is little that erasing has to write anew.
  it('is no answer while and after somebody is erased, for a question told of it before', async () => {
    await openSite();
    await count();
    assert.ok((await countedDays()) > 0);
    assert.ok((await seenRows()) > 0);
    const { report } = createQuestions({ warehouse: world.warehouse, now: () => NOW });
    const forgotten = {
      siteId: site,
      visitors: ['v9'],
      transactions: [],
      batchIds: ['1'],
      until: NOW,
    };
    let isDone = false;
    const answers = [await visitors(report)];
    const erasing = forgetVisitors(world.warehouse, forgotten, (work) => work()).finally(() => {
      isDone = true;
    });
    while (!isDone) answers.push(await visitors(report));
    await erasing;
    answers.push(await visitors(report));
    const changes = answers.filter((answer, index) => answer !== answers[index - 1]);
    assert.deepEqual(changes, [5, 4]);
    assert.equal(await countedDays(), 0);
    assert.equal(await seenRows(), 0);
  });

  it('goes with days that are too old, also where their visits came too late to go', async () => {
    await openSite();
    await count();
    const since = FIRST_DAY + 2 * DAY_MS;
    const until = FIRST_DAY - DAY_MS;
    await forgetBefore(world.warehouse, { siteId: site, since, until, batchIds: ['1'] }, (work) =>
      work(),
    );
    assert.equal(await visitors(), 5);
  });

  it('has what happened just before the first day, by a clock that ran ahead', async () => {
    await openSite();
    const early = { occurred_at: FIRST_DAY - 60_000, path: '/early' };
    await world.addEvents([pageview('v0', 0, { ...early, visit_started_at: FIRST_DAY + 1_000 })]);
    await world.settleAndCount(NOW);
    await count();
    const asked = { metrics: ['visitors', 'pageviews'], dimensions: ['event:page'] };
    const date_range = 'all' as const;
    assert.deepEqual(await ask({ ...asked, date_range }), [
      ['/', 5, 5],
      ['/early', 1, 1],
    ]);
    assert.deepEqual(await ask({ metrics: ['pageviews'], date_range }), [[6]]);
  });

  it('knows who came back today, since the period began, and to which page', async () => {
    await openSite(() => [
      ...[1, 3, 9].map((day) => pageview('back', day, { path: '/again' })),
      pageview('back', 9, { path: '/new' }),
    ]);
    await count();
    const pagesSince = (hours: number) =>
      ask({
        metrics: ['visitors'],
        dimensions: ['event:page'],
        filters: [],
        date_range: [FIRST_DAY + hours * 3_600_000, NOW].map((at) =>
          new Date(at).toISOString(),
        ) as [string, string],
      });
    const pages = (home: number) => [
      ['/', home],
      ['/again', 1],
      ['/new', 1],
    ];
    assert.deepEqual(await pagesSince(0), pages(5));
    assert.deepEqual(await pagesSince(25), pages(4), 'to the minute of a visit');
    assert.deepEqual(await pagesSince(26), pages(3), 'after it, within the day');
    assert.deepEqual(await pagesSince(72), pages(2), 'from midnight on');
    await world.warehouse.command({ sql: 'TRUNCATE TABLE settled_seen' });
    const [, again] = await pagesSince(72);
    assert.deepEqual(again, ['/again', 2], 'it is known from there alone');
  });

  it('is nothing before 1970, where a period or what it is compared with begins', async () => {
    await openSite();
    await count();
    const of = { id: site, timezone: 'UTC', currency: 'EUR' };
    const metrics = ['visitors', 'pageviews'];
    const visitorsOf = async (asked: Pick<Query, 'date_range' | 'dimensions' | 'include'>) => {
      const answer = await freshReport().answer(of, { site_id: site, metrics, ...asked });
      assert.ok(answer.ok, JSON.stringify(answer));
      return answer.value.results.map((row) => [row.metrics[0], row.comparison?.metrics[0]]);
    };
    for (const dimensions of [[], ['visit:source'], ['event:page']]) {
      const since = async (from: string, compare: 'previous_period' | 'year_over_year') =>
        visitorsOf({ dimensions, date_range: [from, '2027-12-31'], include: { compare } });
      const nothing = dimensions.length === 0 ? 0 : null;
      assert.deepEqual(await since('1970-01-01', 'previous_period'), [[5, nothing]]);
      assert.deepEqual(await since('1990-01-01', 'previous_period'), [[5, nothing]]);
      assert.deepEqual(await since('1970-06-01', 'year_over_year'), [[5, 5]]);
    }
    const months = await visitorsOf({
      dimensions: ['time:month'],
      date_range: ['1990-01-01', '2026-11-22'],
      include: { compare: 'previous_period' },
    });
    assert.deepEqual(months.at(-1), [5, 0]);
  });

  it('is read once for each run, whatever comes today, and anew when a day has changed', async () => {
    await openSite();
    await count();
    const { report, read } = noting();
    assert.equal(await visitors(report), 5);
    await world.addEvents([pageview('today', 9)]);
    assert.equal(await visitors(report), 6);
    assert.equal(read.length, 1);
    await world.addEvents([pageview('late', 1)]);
    assert.equal(await visitors(report), 7);
    await world.settleAndCount(NOW);
    assert.equal(await visitors(report), 7);
    assert.ok(read.length > 1);
  });

  it('is read every time where it has more than a thousand values', async () => {
    const paths = Array.from({ length: 1_001 }, (_, index) => `/${index}`);
    await openSite(() => paths.map((path) => pageview('reader', 0, { path })));
    await count();
    const { report, read } = noting();
    const asked = { metrics: ['visitors'], dimensions: ['event:page'], pagination: { limit: 2 } };
    const [first] = await ask({ ...asked, date_range: '30d' }, report);
    assert.deepEqual(first, ['/', 5]);
    await ask({ ...asked, date_range: '30d' }, report);
    assert.equal(read.length, 3, 'once to see how many');
  });

  it('is not named when an erasure took rows out meanwhile, and is made anew', async () => {
    await openSite();
    const warehouse = {
      ...world.warehouse,
      async command(statement: { readonly sql: string }) {
        await world.warehouse.command(statement);
        if (!statement.sql.includes('INTO settled_counts')) return;
        for (const table of ['settled_days', 'settled_counts']) {
          await world.warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
        }
      },
    };
    await settler(warehouse).run();
    assert.equal(await countedDays(), 0);
    assert.equal(await visitors(), 5);
    await count();
    assert.ok((await countedDays()) > 0);
    assert.equal(await visitors(), 5);
  });

  it('leaves nothing of a run that was refused, and another waits for an hour', async (context) => {
    await openSite();
    let failures = 0;
    const warehouse = {
      ...world.warehouse,
      async command(statement: Statement) {
        const isNaming = statement.sql.includes('INTO settled_days');
        if (isNaming && statement.params?.site === site && failures++ === 0) {
          throw new RefusedQuestionError('duration', undefined);
        }
        await world.warehouse.command(statement);
      },
    };
    const failing = settler(warehouse);
    await assert.rejects(failing.run(), /refused/);
    assert.ok((await countedRows()) > 0);
    await failing.run();
    await waitUntil(countedRows, (rows) => rows === 0, 60_000);
    await waitUntil(seenRows, (rows) => rows === 0, 60_000);
    assert.equal(await countedDays(), 0);
    const later = performance.now() + 3_600_000;
    context.mock.method(performance, 'now', () => later);
    await failing.run();
    context.mock.restoreAll();
    assert.ok((await countedDays()) > 0);
    assert.equal(await visitors(), 5);
  });
});

const countedDays = () => countOf('settled_days');
const countedRows = () => countOf('settled_counts');
const seenRows = () => countOf('settled_seen');

async function countOf(table: string): Promise<number> {
  const [row] = await world.warehouse.select<{ rows: string }>({
    sql: `SELECT count() AS rows FROM ${table} WHERE site_id = {site:String}`,
    params: { site },
  });
  return Number(row?.rows);
}

async function visitors(report = freshReport()): Promise<unknown> {
  const [[number] = []] = await ask({ metrics: ['visitors'], date_range: '30d' }, report);
  return number;
}

const freshReport = () =>
  createQuestions({ warehouse: world.warehouse, now: () => NOW, settledKnownForMs: 0 }).report;

/** A report that notes what is read of what was counted. */
function noting() {
  const read: string[] = [];
  const warehouse = {
    ...world.warehouse,
    select<Row>(statement: Statement) {
      if (statement.sql.includes('FROM settled_counts')) read.push(statement.sql);
      return world.warehouse.select<Row>(statement);
    },
  };
  const { report } = createQuestions({ warehouse, now: () => NOW, settledKnownForMs: 0 });
  return { report, read };
}

/** Rows: values of dimensions, then of metrics. */
async function ask(asked: Omit<Query, 'site_id'>, report = freshReport()): Promise<unknown[][]> {
  const of = { id: site, timezone: 'UTC', currency: 'EUR' };
  const answer = await report.answer(of, { site_id: site, ...asked });
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value.results.map((row) => [...row.dimensions, ...row.metrics]);
}

/** At one in the morning. */
function pageview(visitor: string, day: number, more: Partial<EventRow> = {}): EventRow {
  const at = FIRST_DAY + day * DAY_MS + 3_600_000;
  return {
    ...{ site_id: site, visitor_id: visitor, type: 'pageview', path: '/' },
    ...{ occurred_at: at, accepted_at: at, visit_started_at: at },
    event_id: crypto.randomUUID(),
    visit_id: crypto.randomUUID(),
    ...more,
  };
}

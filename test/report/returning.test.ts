import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import type { Query } from '#contract/query.ts';
import type { ReportStatement, ReportWarehouse } from '#report/ports.ts';
import { createQuestions } from '#report/questions.ts';
import { forgetVisitors } from '#warehouse/forget-visitors.ts';
import { RefusedQuestionError } from '#warehouse/refused-question.ts';
import { createReturningSettler } from '#warehouse/settle-returning.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_DAY = Date.UTC(2026, 10, 1);
/** Days 0 to 9 are over, day 10 is open. */
const NOW = FIRST_DAY + 10 * DAY_MS + 12 * HOUR_MS;
const TODAY = 10;

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
});
after(() => world.close());

let sites = 0;
let site = '';
/** Ann and Bob were here before, and Ann is back; Cat is new. */
beforeEach(async () => {
  sites += 1;
  site = `site_returning_${sites}`;
  await world.addEvents([
    ...[visit('ann', 2), visit('bob', 3), visit('bot', 4, { bot_class: 'declared' })],
    ...[visit('ann', TODAY), visit('cat', TODAY), visit('bot', TODAY, { source: 'Google' })],
  ]);
  await world.settleAndCount(NOW);
});

describe('who came back', () => {
  it('is copied once, and anew when somebody comes of whom nothing is known', async () => {
    assert.deepEqual(await rows(), { 'looked for': 3, visit: 1, seen: 1 });
    const settler = createReturningSettler(world.warehouse, () => NOW);
    assert.equal(await settler.run(), 0);
    await world.addEvents([visit('cat', TODAY, { path: '/again' })]);
    assert.equal(await settler.run(), 0, 'she was looked for');
    await world.addEvents([visit('bob', TODAY)]);
    assert.equal(await settler.run(), 1);
    assert.deepEqual(await rows(), { 'looked for': 4, visit: 2, seen: 2 });
  });

  it('is what questions go by, and nothing else is looked through', async () => {
    const { asked, visitors } = noting();
    assert.equal(await visitors(), 4);
    assert.equal(await visitors('event:page'), 4);
    assert.deepEqual(asked.filter(isLookingThrough), []);
    await replaceRun("* REPLACE (run + 1 AS run, [] AS seen, 'Other' AS source)");
    assert.equal(await visitors(), 5, 'nobody knows that ann was here before');
    assert.equal(await visitors('event:page'), 5);
  });

  it('is looked up for those who came since, and for them alone', async () => {
    await world.addEvents([visit('bob', TODAY), visit('dan', TODAY), visit('ann', TODAY)]);
    const { asked, visitors } = noting();
    assert.equal(await visitors(), 5);
    assert.equal(await visitors('event:page'), 5);
    const numbers = asked.filter(isLookingThrough).map(({ params = {} }) => {
      const lists = Object.values(params).filter(Array.isArray);
      return lists.find((list) => list.length === 2 && typeof list[0] === 'string')?.length;
    });
    assert.deepEqual(numbers, [2, 2], 'bob and dan');
  });

  it('is looked for among all when more than two thousand came since', async () => {
    const many = Array.from({ length: 2_001 }, (_, index) => visit(`v${index}`, TODAY));
    await world.addEvents(many);
    const { asked, visitors } = noting();
    assert.equal(await visitors(), 2_005);
    assert.equal(asked.filter(isLookingThrough).length, 1);
  });

  it('is not counted with those whom nobody looked for yet', async () => {
    const { warehouse } = world;
    const late: ReportWarehouse = {
      async select(statement) {
        const rows = await warehouse.select(statement);
        if (isAskingWhoCame(statement)) await world.addEvents([visit('bob', TODAY)]);
        return rows as never;
      },
      selectFile: warehouse.selectFile,
    };
    assert.equal(await noting(late).visitors(), 4, 'bob is counted once, where he was before');
    assert.equal(await noting().visitors(), 4);
  });

  it('counts no more when a day has changed, or a row is missing', async () => {
    const { asked, visitors } = noting();
    await replaceRun('* REPLACE (run + 1 AS run)', "part != 'visit'");
    assert.equal(await visitors(), 4);
    assert.equal(asked.filter(isLookingThrough).length, 1);
    assert.equal(await createReturningSettler(world.warehouse, () => NOW).run(), 1);
    assert.equal(await visitors(), 4);
    assert.equal(asked.filter(isLookingThrough).length, 1);
    await world.addEvents([visit('dan', 5)]);
    assert.equal(await visitors(), 5);
    assert.equal(asked.filter(isLookingThrough).length, 2, 'another day is the first open one');
  });

  it('of a period that began before what is copied is looked for among all', async () => {
    const { asked, visitors } = noting();
    await world.warehouse.command({
      sql: `INSERT INTO returning_runs SELECT * REPLACE (toInt64(${FIRST_DAY + 5 * DAY_MS}) AS starts_at, made_at + 1 AS made_at)
        FROM returning_runs FINAL WHERE site_id = '${site}'`,
    });
    assert.equal(await visitors('visit:source', '7d'), 3);
    assert.equal(asked.filter(isLookingThrough).length, 1);
  });

  it('is not asked for by questions that count no different visitors of now', async () => {
    const { asked, report } = noting();
    for (const fields of [
      { metrics: ['pageviews'] },
      { metrics: ['visitors'], filters: [['is', 'visit:source', ['Google']]] },
      { metrics: ['visitors'], date_range: ['2026-11-02', '2026-11-08'] },
    ]) {
      const query = { site_id: site, date_range: '30d', ...fields } as Query;
      const answer = await report.answer({ id: site, timezone: 'UTC', currency: 'EUR' }, query);
      assert.ok(answer.ok, JSON.stringify(answer));
    }
    assert.deepEqual(asked.filter(isAskingWhoCame), []);
  });

  it('is done without where the engine refuses to look', async () => {
    const { warehouse } = world;
    const refusing: ReportWarehouse = {
      async select(statement) {
        if (isAskingWhoCame(statement)) throw new RefusedQuestionError('duration', undefined);
        return warehouse.select(statement);
      },
      selectFile: warehouse.selectFile,
    };
    const { asked, visitors } = noting(refusing);
    assert.equal(await visitors(), 4);
    assert.equal(asked.filter(isLookingThrough).length, 1);
  });

  it('is not looked for where the last day that is counted is five days ago', async () => {
    await world.addEvents([visit('dan', 5)]);
    assert.equal(await createReturningSettler(world.warehouse, () => NOW).run(), 0);
    await world.addEvents([visit('dan', 7)]);
    assert.equal(await createReturningSettler(world.warehouse, () => NOW).run(), 0);
  });

  it('of other sites is copied when it fails for one', async () => {
    const other = site;
    site = 'a_site_that_is_refused';
    await world.addEvents([visit('ann', 2), visit('ann', TODAY)]);
    await world.settleAndCount(NOW);
    await world.addEvents([visit('bob', TODAY)]);
    const refused = site;
    site = other;
    await world.addEvents([visit('bob', TODAY)]);
    const failing = {
      ...world.warehouse,
      async command(statement: ReportStatement) {
        if (statement.params?.site === refused)
          throw new RefusedQuestionError('duration', undefined);
        await world.warehouse.command(statement);
      },
    };
    const settler = createReturningSettler(failing, () => NOW);
    await assert.rejects(settler.run(), RefusedQuestionError);
    assert.deepEqual(await rows(), { 'looked for': 4, visit: 2, seen: 2 });
    assert.equal(await settler.run(), 0, 'it rests');
  });

  it('goes with whoever is erased, and from every file', async () => {
    const forgotten = {
      ...{ siteId: site, visitors: ['ann'], transactions: [], batchIds: ['1'] },
      until: NOW + DAY_MS,
    };
    await forgetVisitors(world.warehouse, forgotten, (work) => work());
    assert.deepEqual(await rows(), {});
    assert.equal(await noting().visitors(), 3);
    await world.settleAndCount(NOW);
    assert.deepEqual(await rows(), { 'looked for': 2 });
    assert.equal(await noting().visitors(), 3);
  });

  it('is not named when rows were taken out meanwhile, or the engine refused', async (context) => {
    await world.addEvents([visit('bob', TODAY)]);
    const statements: string[] = [];
    const taking = {
      ...world.warehouse,
      async command(statement: ReportStatement) {
        await world.warehouse.command(statement);
        statements.push(statement.sql);
        if (!statement.sql.includes("'visit', visitor")) return;
        await dropRuns();
      },
    };
    await createReturningSettler(taking, () => NOW).run();
    assert.ok(statements.some((sql) => sql.includes('DROP PARTITION')));
    assert.deepEqual(await rows(), {});

    let hours = 0;
    context.mock.method(performance, 'now', () => hours * HOUR_MS);
    const refusing = {
      ...world.warehouse,
      async command(statement: ReportStatement) {
        if (statement.sql.includes('INSERT')) throw new RefusedQuestionError('duration', undefined);
        await world.warehouse.command(statement);
      },
    };
    const settler = createReturningSettler(refusing, () => NOW);
    await assert.rejects(settler.run(), RefusedQuestionError);
    hours = 0.9;
    assert.equal(await settler.run(), 0, 'not every minute');
    hours = 1.1;
    await assert.rejects(settler.run(), RefusedQuestionError);
    context.mock.restoreAll();
    assert.equal(await noting().visitors(), 4);
  });

  it('is taken off the disk a quarter of an hour after another run has replaced it', async (context) => {
    let minutes = 0;
    context.mock.method(performance, 'now', () => minutes * 60_000);
    const settler = createReturningSettler(world.warehouse, () => NOW);
    await world.addEvents([visit('bob', TODAY)]);
    assert.equal(await settler.run(), 1);
    assert.equal(await runs(), 2);
    await settler.run();
    minutes = 14;
    await world.addEvents([visit('eve', TODAY)]);
    assert.equal(await settler.run(), 1);
    assert.equal(await runs(), 3);
    minutes = 16;
    await world.addEvents([visit('eve', TODAY)]);
    await settler.run();
    assert.equal(await runs(), 2);
  });
});

/** Names another run of the site, of rows of the one that is named. */
async function replaceRun(columns: string, where = '1'): Promise<void> {
  const isNamed = `site_id = '${site}' AND run IN (SELECT run FROM returning_runs FINAL)`;
  for (const sql of [
    `INSERT INTO returning_visitors SELECT ${columns} FROM (SELECT * FROM returning_visitors WHERE ${isNamed} AND ${where})`,
    `INSERT INTO returning_runs SELECT * REPLACE (run + 1 AS run, made_at + 1 AS made_at)
      FROM returning_runs FINAL WHERE site_id = '${site}'`,
  ]) {
    await world.warehouse.command({ sql });
  }
}

async function dropRuns(): Promise<void> {
  const found = await world.warehouse.select<{ run: string }>({
    sql: `SELECT DISTINCT toString(run) AS run FROM returning_visitors WHERE site_id = '${site}'`,
  });
  for (const { run } of found) {
    await world.warehouse.command({
      sql: `ALTER TABLE returning_visitors DROP PARTITION ID '${run}'`,
    });
  }
}

/** How many rows of each part the named run of the site has. */
async function rows(): Promise<Record<string, number>> {
  const found = await world.warehouse.select<{ part: string; size: string }>({
    sql: `SELECT part, count() AS size FROM returning_visitors
      WHERE site_id = '${site}' AND run IN (SELECT run FROM returning_runs FINAL) GROUP BY part`,
  });
  return Object.fromEntries(found.map(({ part, size }) => [part, Number(size)]));
}

async function runs(): Promise<number> {
  const [row] = await world.warehouse.select<{ runs: string }>({
    sql: `SELECT uniqExact(run) AS runs FROM returning_visitors WHERE site_id = '${site}'`,
  });
  return Number(row?.runs);
}

/** Looks through the days before for whoever is there now. */
function isLookingThrough({ sql }: ReportStatement): boolean {
  return /1 AS was_before FROM \(\s*SELECT visitor, (?:value FROM \(|arrayJoin\(seen\) AS value FROM settled_seen)/.test(
    sql,
  );
}

function isAskingWhoCame({ sql }: ReportStatement): boolean {
  return sql.includes('AS came');
}

/** Questions by a warehouse that notes statements. */
function noting(warehouse: ReportWarehouse = world.warehouse) {
  const asked: ReportStatement[] = [];
  const { report } = createQuestions({
    warehouse: {
      select(statement) {
        asked.push(statement);
        return warehouse.select(statement);
      },
      selectFile: warehouse.selectFile,
    },
    now: () => NOW,
    settledKnownForMs: 0,
  });
  const siteId = site;
  return {
    asked,
    report,
    /** How many there were, all values of a dimension added up. */
    async visitors(dimension = 'visit:source', period = '30d'): Promise<number> {
      const answer = await report.answer(
        { id: siteId, timezone: 'UTC', currency: 'EUR' },
        { site_id: siteId, metrics: ['visitors'], dimensions: [dimension], date_range: period },
      );
      assert.ok(answer.ok, JSON.stringify(answer));
      return answer.value.results.reduce((sum, { metrics }) => sum + Number(metrics[0]), 0);
    },
  };
}

function visit(visitor: string, day: number, fields: Partial<EventRow> = {}): EventRow {
  const at = FIRST_DAY + day * DAY_MS + HOUR_MS;
  return {
    ...{ site_id: site, visitor_id: visitor, type: 'pageview', path: '/' },
    ...{ occurred_at: at, accepted_at: at, visit_started_at: at },
    event_id: crypto.randomUUID(),
    visit_id: crypto.randomUUID(),
    ...fields,
  };
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { toTextCell } from '#api/queries/answer-formats.ts';
import { EXPORT_COLUMNS, type Exported, type ExportFormat } from '#contract/exports.ts';
import { harmlessSql } from '#report/exports/page-statement.ts';
import { createBindings } from '#report/query/sql/rows.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW } from '../worlds/bakery.ts';
import { type Bakery, openBakery } from '../worlds/open-bakery.ts';

const MANY = 45_000;
const NOVEMBER = ['2026-11-01', '2026-11-30'] as const;

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

const never = () => {
  throw new Error('these exports ask no ledger');
};
const NO_LEDGER = { findKnownPerson: never, searchPersons: never } as never;

type Wish = { readonly isPersonal?: boolean; readonly bots?: boolean; readonly site?: string };

async function read(content: Exported, format: ExportFormat, wish: Wish = {}): Promise<Buffer[]> {
  const { warehouse } = bakery;
  const exports = createReports({ warehouse, now: () => BAKERY_NOW }).exports(NO_LEDGER, {
    listAll: never,
  });
  const opened = await exports.open(
    { ...BAKERY, id: wish.site ?? BAKERY.id },
    { content, format, date_range: NOVEMBER, isPersonal: false, bots: false, ...wish },
  );
  assert.ok(opened.ok);
  return Array.fromAsync(opened.value);
}

async function lines(content: Exported, wish?: Wish) {
  const text = Buffer.concat(await read(content, 'ndjson', wish)).toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The rows of a Parquet file, as the engine reads them. */
async function rowsOf<Row>(parts: readonly Buffer[], select: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-export-'));
  const path = join(folder, 'rows.parquet');
  writeFileSync(path, Buffer.concat(parts));
  const sql = `SELECT ${select} FROM file({path:String}, Parquet)`;
  const rows = await bakery.warehouse.select<Row>({ sql, params: { path } });
  rmSync(folder, { recursive: true });
  return rows;
}

describe('an export of events', () => {
  it('has what people did in the period, in order of time, under the names of dimensions', async () => {
    const events = await lines('events');
    assert.deepEqual(
      Object.keys(events[0] ?? {}),
      Object.keys(EXPORT_COLUMNS.events).filter((name) => name !== 'click_id_value'),
    );
    const expected = BAKERY_EVENTS.filter(
      ({ site_id, bot_class }) => site_id === BAKERY.id && !bot_class,
    )
      .toSorted((a, b) => a.occurred_at - b.occurred_at)
      .map(
        (event) =>
          `${new Date(event.occurred_at).toISOString()} ${event.visitor_id} ${event.path ?? null} ${event.name ?? null}`,
      );
    assert.deepEqual(
      events.map(
        (each) => `${each.occurred_at} ${each.service_visitor_id} ${each.page} ${each.goal}`,
      ),
      expected,
    );
    assert.deepEqual(events.find(({ goal }) => goal === 'signup')?.props, { plan: 'pro' });
  });

  it('has bots, too, if asked', async () => {
    const bots = (await lines('events', { bots: true })).filter(
      ({ bot_class }) => bot_class !== null,
    );
    assert.deepEqual(bots.map(({ type }) => type).toSorted(), ['goal', 'pageview']);
  });

  it('has traits of people only for those who may see them', async () => {
    const site_id = 'site_traits';
    const [event] = BAKERY_EVENTS;
    assert.ok(event);
    await bakery.addEvents([
      {
        ...event,
        site_id,
        type: 'identify',
        props: { email: 'a@example.com' },
        click_id_value: 'x1',
      },
    ]);
    const [seen] = await lines('events', { site: site_id, isPersonal: true });
    assert.deepEqual([seen?.props, seen?.click_id_value], [{ email: 'a@example.com' }, 'x1']);
    const [hidden] = await lines('events', { site: site_id });
    assert.deepEqual([hidden?.props, hidden?.click_id_value], [{}, undefined]);
  });

  it('of many rows is one file of many pages, in every format', async () => {
    const site_id = 'site_many';
    const [event] = BAKERY_EVENTS;
    assert.ok(event);
    const many = Array.from({ length: MANY }, (_, index) => ({
      ...event,
      ...{ site_id, event_id: crypto.randomUUID(), visitor_id: `v${index}` },
      // All of them within a minute, a third in one millisecond.
      occurred_at: event.occurred_at + (index % 3 === 0 ? 0 : index),
    }));
    await bakery.addEvents(many);
    const parts = await read('events', 'parquet', { site: site_id });
    assert.ok(parts.length > 4, 'written page by page');
    const [sums] = await rowsOf(
      parts,
      'count() AS n, uniqExact(service_visitor_id) AS visitors, min(occurred_at) AS first',
    );
    assert.deepEqual(sums, { n: `${MANY}`, visitors: `${MANY}`, first: '2026-10-31 23:15:00.000' });
    const rows = await lines('events', { site: site_id });
    const times = rows.map((row) => String(row.occurred_at));
    assert.deepEqual(times, times.toSorted());
    assert.equal(new Set(rows.map((row) => row.service_visitor_id)).size, MANY);
    const csv = Buffer.concat(await read('events', 'csv', { site: site_id })).toString();
    assert.equal(csv.split('\r\n').length, MANY + 2);
  });

  it('without a row still names its columns', async () => {
    const site = 'site_nobody';
    const [row] = await rowsOf<object>(
      await read('events', 'parquet', { site }),
      'count() AS n, any(props) AS props',
    );
    assert.deepEqual(row, { n: '0', props: {} });
    assert.match(
      Buffer.concat(await read('events', 'csv', { site })).toString(),
      /^event_id,[\w,]+\r\n$/,
    );
    assert.equal(Buffer.concat(await read('events', 'ndjson', { site })).length, 0);
  });
});

describe('an export of visits', () => {
  it('has the visits and values that queries have', async () => {
    const visits = await lines('visits');
    const bySource = Map.groupBy(visits, ({ source }) => source);
    const found = [...bySource].map(([source, of]) => {
      const sum = (name: string) => of.reduce((total, visit) => total + Number(visit[name]), 0);
      return `${source} | ${of.length} | ${sum('pageviews')} | ${sum('visit_duration') / of.length}`;
    });
    const asked = await bakery.lines({
      ...{ metrics: ['visits', 'views_per_visit', 'visit_duration'], dimensions: ['visit:source'] },
    });
    const views = asked.map((line) => {
      const [source, count, perVisit, duration] = line.split(' | ');
      return `${source} | ${count} | ${Number(count) * Number(perVisit)} | ${duration}`;
    });
    assert.deepEqual(found.toSorted(), views.toSorted());
  });
});

describe('texts of a CSV file', () => {
  it('are made harmless, as in other files', async () => {
    const letters = fc.constantFrom(...'=+-@|%,;"\'ab\t\r\n \u00a0\u200b\uff1d\ufeff');
    const texts = fc.sample(fc.string({ unit: letters, maxLength: 8 }), 2_000);
    const { bind, params } = createBindings();
    const sql = `SELECT ${harmlessSql('text', bind)} AS harmless FROM (SELECT arrayJoin(JSONExtract(base64Decode('${Buffer.from(JSON.stringify(texts)).toString('base64')}'), 'Array(String)')) AS text)`;
    const rows = await bakery.warehouse.select<{ harmless: string }>({ sql, params });
    assert.deepEqual(
      rows.map(({ harmless }) => harmless),
      texts.map((text) => withoutQuotes(toTextCell(text))),
    );
  });
});

function withoutQuotes(cell: string): string {
  return /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import type { Query } from '#contract/query.ts';
import { DIMENSION_NAMES } from '#report/catalog.ts';
import type { ReportStatement, ReportWarehouse } from '#report/ports.ts';
import { createQuestions } from '#report/questions.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';
import { withoutCounts } from './without-counts.ts';

const SITE = { id: 'site_halves', timezone: 'Europe/Berlin', currency: 'EUR' } as const;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const NOW = Date.UTC(2026, 10, 11, 12);
const SOURCES = ['Google', 'Direct', '', 'a "b" \'c\' \\ Ünï'] as const;
const METRICS = [
  ...['visitors', 'visits', 'pageviews', 'bounce_rate', 'conversions', 'conversion_rate'],
  ...['revenue', 'payments', 'average_order_value', 'revenue_per_visitor'],
];
const DASHBOARD = ['', 'visit:source', 'event:page', 'time:day', 'payment:product'];
const OF_PAYMENTS = METRICS.filter((name) => /^(revenue|payments|average_order_value)$/.test(name));

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
  const visits = Array.from({ length: 44 }, (_, n) => visit(`v${n % 17}`, n % 11, n));
  await world.addEvents(visits.flat());
  await world.addPayments(
    Array.from({ length: 13 }, (_, n) => ({
      ...{ site_id: SITE.id, visitor_id: `v${n}`, transaction_id: `t${n}`, currency: 'EUR' },
      ...{
        kind: n === 5 ? ('refund' as const) : ('payment' as const),
        amount_minor: 101n + BigInt(n),
      },
      ...{ occurred_at: FIRST_DAY + n * DAY_MS * 0.8, paid_at: FIRST_DAY + n * DAY_MS * 0.8 },
      product: n % 2 === 0 ? 'basic' : '',
    })),
  );
  await world.settleAndCount(NOW);
});
after(() => world.close());

describe('a question of a site that is counted ahead', () => {
  it('answers by every dimension what one statement does, alone and beside another', async () => {
    const names = DIMENSION_NAMES.filter((name) => !name.endsWith(':NAME'));
    for (const dimension of ['', ...names, 'event:props:plan']) {
      const query = aboutDimension(dimension);
      const once = await answer(query, withoutCounts);
      assert.deepEqual(await answer(query), once, dimension);
      const { report } = noting();
      const together = await Promise.all([ask(report, query), ask(report, query)]);
      for (const one of together) assert.deepEqual(one, once, dimension);
    }
  });

  it('asks for what happened and what is credited at once, if nothing else is asked', async () => {
    const query = about({ metrics: ['visitors', 'revenue'], dimensions: ['visit:source'] });
    const { asked, report } = noting();
    await ask(report, query);
    const halves = asked.filter(isGroup).filter(({ sql }) => !sql.includes('settled_counts'));
    assert.deepEqual(
      halves.map(({ sql }) => /FROM payments/.test(sql)).toSorted(),
      [false, true],
      'each of them by itself',
    );
  });

  it('asks one statement while another question is being answered', async () => {
    const query = about({ metrics: ['visitors', 'revenue'], dimensions: ['visit:source'] });
    const { promise: isAsked, resolve: tell } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    const { asked, report } = noting((warehouse) => ({
      ...warehouse,
      async select(statement) {
        if (statement.sql.includes('FROM payments')) {
          tell();
          await mayAnswer;
        }
        return warehouse.select(statement);
      },
    }));
    const first = ask(report, query);
    await isAsked;
    const second = ask(
      report,
      about({ metrics: ['visitors', 'conversions'], dimensions: ['visit:source'] }),
    );
    await second;
    const isOpen = ({ sql }: ReportStatement) => isGroup({ sql }) && sql.includes("type = 'goal'");
    assert.equal(asked.filter(isOpen).length, 0);
    letAnswer();
    await first;
  });

  it('orders, pages and limits what the halves have together', async () => {
    for (const order of ['visitors', 'revenue', 'visit:source'] as const) {
      const query = about({
        metrics: ['visitors', 'revenue'],
        dimensions: ['visit:source', 'visit:country'],
        order_by: [[order, 'asc']],
        pagination: { limit: 2 },
      });
      const first = await answer(query);
      assert.equal(first.results.length, 2);
      const cursor = first.meta.next_cursor;
      assert.ok(cursor !== undefined);
      const second = { ...query, pagination: { limit: 50, cursor } };
      assert.deepEqual(first, await answer(query, withoutCounts));
      assert.deepEqual(await answer(second), await answer(second, withoutCounts));
    }
  });

  it('asks one statement where a half has more than a thousand rows, and knows it the next time', async () => {
    const paths = Array.from({ length: 1_001 }, (_, index) => `/page-${index}`);
    const reader = paths.flatMap((path) => visit('reader', 10, 0, { path }));
    await world.addEvents(reader);
    const query = about({
      metrics: ['pageviews', 'revenue'],
      dimensions: ['event:page'],
      pagination: { limit: 2 },
    });
    const { asked, report } = noting();
    const first = await ask(report, query);
    assert.equal(asked.filter(isGroup).length, 2);
    assert.deepEqual(first, await answer(query, withoutCounts));
    assert.deepEqual(await ask(report, query), first);
    assert.equal(asked.filter(isGroup).length, 2, 'they are not asked for again');
  });
});

/** All metrics, and what was before, where a dashboard asks for them. */
function aboutDimension(dimension: string): Query {
  const isOfDashboard = DASHBOARD.includes(dimension);
  const metrics = isOfDashboard ? METRICS : ['visitors', 'conversions', 'revenue'];
  return about({
    metrics: dimension.startsWith('payment:') ? OF_PAYMENTS : metrics,
    dimensions: dimension === '' ? [] : [dimension],
    date_range: dimension === 'time:minute' ? '2d' : '7d',
    ...(isOfDashboard ? { include: { compare: 'previous_period' } } : {}),
  });
}

function about(fields: Partial<Query> & { readonly metrics: readonly string[] }): Query {
  return { site_id: SITE.id, date_range: '7d', ...fields } as Query;
}

/** Questions by a warehouse that notes statements. */
function noting(of: (warehouse: ReportWarehouse) => ReportWarehouse = (warehouse) => warehouse) {
  const asked: ReportStatement[] = [];
  const warehouse = of({
    select(statement) {
      asked.push(statement);
      return world.warehouse.select(statement);
    },
    selectFile: world.warehouse.selectFile,
  });
  const { report } = createQuestions({ warehouse, now: () => NOW, settledKnownForMs: 0 });
  return { asked, report };
}

type Asking = ReturnType<typeof noting>['report'];

async function ask(report: Asking, query: Query) {
  const found = await report.answer(SITE, query);
  assert.ok(found.ok, JSON.stringify(found));
  return found.value;
}

async function answer(query: Query, of?: Parameters<typeof noting>[0]) {
  return ask(noting(of).report, query);
}

function isGroup({ sql }: ReportStatement): boolean {
  return sql.includes('AS keys');
}

/** A visit of a pageview, and a goal of some. */
function visit(
  visitor: string,
  day: number,
  n: number,
  fields: Partial<EventRow> = {},
): EventRow[] {
  const at = FIRST_DAY + day * DAY_MS + (n % 11) * 3_600_000;
  const row: Omit<EventRow, 'event_id'> = {
    ...{ site_id: SITE.id, visitor_id: visitor, type: 'pageview', path: `/p${n % 3}` },
    ...{ occurred_at: at, accepted_at: at, visit_started_at: at },
    ...{ source: SOURCES[n % SOURCES.length] ?? '', country: n % 2 === 0 ? 'DE' : '' },
    visit_id: crypto.randomUUID(),
    ...fields,
  };
  const goal = { ...row, type: 'goal', name: 'signup', occurred_at: at + 60_000 } as const;
  return [row, ...(n % 4 === 1 ? [goal] : [])].map((event) => ({
    ...event,
    event_id: crypto.randomUUID(),
  }));
}

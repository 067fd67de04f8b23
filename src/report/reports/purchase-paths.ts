import type { Fault } from '#contract/fault.ts';
import type { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import type { Bind } from '../dimension.ts';
import { type Planned, parseDimensions, type Report } from '../query/answer/report-kind.ts';
import type { Scope } from '../query/plan/plan.ts';
import { planFact } from '../query/plan/plan-fact.ts';
import type { BaseQuery } from '../query/query.ts';
import { toMoney } from '../query/shape/to-answer-row.ts';
import { moneyColumns } from '../query/sql/converted.ts';
import { paymentsSql } from '../query/sql/facts/payments.ts';
import { columnOf, columns, within } from '../query/sql/rows.ts';

/** Bounds: 1 hour, then 1, 3, 7, 14, 30 and 90 days; and numbers of visits. */
const DEFAULTS = {
  time_bounds: [3_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000],
  visit_bounds: [2, 3, 4, 5, 6, 11],
  limit: 100,
};

const BROKEN_DOWN_BY = { what: 'purchases are', kinds: ['visit', 'visitor', 'payment'] } as const;

/** A row of the answer, with `d0, …` for the dimensions. */
type Row = Readonly<Record<`d${number}`, string>> & {
  readonly customers: string;
  readonly minor: string;
  readonly unknown: string;
  readonly unknown_minor: string;
  /** In milliseconds. */
  readonly time: Spread;
  readonly visits: Spread;
  readonly total_rows: string;
};

/** Median and 90th percentile; the customers and revenue of each bucket: empty if nobody's visits are known. */
type Spread = readonly [
  quantiles: readonly (number | null)[],
  customers: readonly string[],
  minor: readonly string[],
];

/** The purchase paths report: the time and number of visits that new customers needed until their first payment. */
export const paymentPaths: Report<PurchasePaths, Query, Row, PurchasePathsAnswer> = {
  parse,
  toSql,
  paymentsOf: ({ query }) => query.filter,
  toAnswer: (rows, report, { meta, query }) => ({
    results: rows.map((row) => toResult(row, report)),
    meta: { total_rows: Number(rows[0]?.total_rows ?? 0), ...meta },
    query,
  }),
};

function parse(sent: PurchasePaths, base: BaseQuery, faults: Fault[]) {
  const { model = 'first_touch', lookback_days = null } = sent.attribution ?? {};
  const asked = { ...DEFAULTS, dimensions: [], ...sent, attribution: { model, lookback_days } };
  const dimensions = parseDimensions(asked.dimensions, BROKEN_DOWN_BY, faults);
  for (const field of ['time_bounds', 'visit_bounds'] as const) {
    const bounds = asked[field];
    if (bounds.every((bound, index) => bound > (bounds[index - 1] ?? 0))) continue;
    const message = 'Each bound must be greater than the one before.';
    faults.push({ path: `/${field}`, message });
  }
  const attribution = { model, lookbackDays: lookback_days };
  return { asked, query: { ...base, dimensions, attribution } };
}

type Query = ReturnType<typeof parse>;

function toSql({ query, facts, asked }: Planned<Query>, bind: Bind): string {
  const timeBoundsMs = asked.time_bounds.map((seconds) => seconds * 1_000);
  const plan = planFact('payments', query, facts, { needs: ['first_payment', 'path'] });
  const fact = paymentsSql(plan, bind);
  const keys = columns('d', query.dimensions);
  const values = query.dimensions.map(
    (each, index) => `${columnOf(plan.values, each)} AS d${index}`,
  );
  return `
    SELECT ${[
      ...keys,
      'toString(count()) AS customers',
      'toString(sum(net_minor)) AS minor',
      'toString(countIf(path_visits = 0)) AS unknown',
      'toString(sumIf(net_minor, path_visits = 0)) AS unknown_minor',
      `${spreadSql('path_ms', timeBoundsMs, bind)} AS time`,
      `${spreadSql('path_visits', asked.visit_bounds, bind)} AS visits`,
      'count() OVER () AS total_rows',
    ].join(', ')}
    FROM (
      SELECT ${[...values, 'path_ms', 'path_visits', 'shown_minor - paid_back_minor AS net_minor'].join(', ')}
      FROM (SELECT * FROM ${fact.from} WHERE ${fact.where} AND is_first_payment) AS purchase
      LEFT JOIN (${paidBackSql(plan, bind)}) AS paid_back ON transaction_id = paid_back_of
    )
    ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}
    ORDER BY ${['count() DESC', ...keys].join(', ')}
    LIMIT ${bind(asked.limit, 'UInt64')}`;
}

/** SQL for a {@link Spread} over the buckets between the bounds. */
function spreadSql(column: string, bounds: readonly number[], bind: Bind): string {
  const place = `arrayCount(bound -> ${column} >= bound, ${bind(bounds, 'Array(Int64)')})`;
  const classes = (value: string) =>
    `arrayMap(number -> toString(number), sumForEachIf(arrayMap(
      number -> if(number = ${place}, ${value}, 0), range(${bounds.length + 1})), path_visits > 0))`;
  return `(quantilesExactInclusiveIf(0.5, 0.9)(${column}, path_visits > 0), ${classes('1')}, ${classes('net_minor')})`;
}

/** SQL for all refunds, whenever made, of the period's payments, in the site's currency. */
function paidBackSql(plan: Scope, bind: Bind): string {
  const made = `
    SELECT transaction_id, original_transaction_id, ${moneyColumns(plan)}
    FROM payments FINAL WHERE ${within('paid_at', plan, bind)} AND kind = 'refund'`;
  return `
    SELECT if(original_transaction_id = '', transaction_id, original_transaction_id) AS paid_back_of,
      sum(shown_minor) AS paid_back_minor
    FROM (${made})
    GROUP BY paid_back_of`;
}

function toResult(
  row: Row,
  { asked, query: { site, dimensions } }: Planned<Query>,
): PurchasePathsAnswer['results'][number] {
  const of = (customers = '0', minor = '0') => ({
    customers: Number(customers),
    revenue: toMoney(BigInt(minor), site.currency),
  });
  const spread = (
    [[median, p90], customers, minor]: Spread,
    round: (value: number) => number,
    bounds: readonly number[],
  ) => ({
    // Quantiles of no rows are null.
    median: median == null ? null : round(median),
    p90: p90 == null ? null : round(p90),
    buckets: bounds.map((from, index) => ({
      ...{ from, below: bounds[index + 1] ?? null },
      ...of(customers[index], minor[index]),
    })),
  });
  return {
    dimensions: dimensions.map((_, index) => String(row[`d${index}`])),
    ...of(row.customers, row.minor),
    time: spread(row.time, (ms) => Math.round(ms / 1_000), [0, ...asked.time_bounds]),
    visits: spread(row.visits, (n) => Math.round(n * 100) / 100, [1, ...asked.visit_bounds]),
    unknown: of(row.unknown, row.unknown_minor),
  };
}

import type { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { parseDimensions } from '../parse-dimensions.ts';
import type { Planned, Report } from '../report-kind.ts';
import {
  type PurchasePathsQuery,
  type PurchasePathsRow,
  toPurchasePathsStatement,
} from './purchase-paths-sql.ts';

/** An hour, a day, three, a week, two, thirty days and ninety; and so many visits. */
const DEFAULTS = {
  time_bounds: [3_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000],
  visit_bounds: [2, 3, 4, 5, 6, 11],
  limit: 100,
};

const BROKEN_DOWN_BY = {
  what: 'purchases are',
  kinds: ['visit', 'visitor', 'payment'],
} as const;

/** How long, and how many visits, new customers of a period took to their first payment. */
export const paymentPaths: Report<
  PurchasePaths,
  PurchasePathsQuery,
  PurchasePathsRow,
  PurchasePathsAnswer
> = {
  parse(sent, base, faults) {
    const { model = 'first_touch', lookback_days = null } = sent.attribution ?? {};
    const asked = { ...DEFAULTS, dimensions: [], ...sent, attribution: { model, lookback_days } };
    const dimensions = parseDimensions(asked.dimensions, BROKEN_DOWN_BY, faults);
    for (const field of ['time_bounds', 'visit_bounds'] as const) {
      const bounds = asked[field];
      if (bounds.every((bound, index) => bound > (bounds[index - 1] ?? 0))) continue;
      const message = 'Bounds ascend, each greater than the one before.';
      faults.push({ path: `/${field}`, message });
    }
    const attribution = { model, lookbackDays: lookback_days };
    return { asked, query: { ...base, dimensions, attribution } };
  },
  toStatement: toPurchasePathsStatement,
  paymentsOf: ({ query }) => query.filter,
  toAnswer: (rows, report, { meta, query }) => ({
    results: rows.map((row) => toResult(row, report)),
    meta: { total_rows: Number(rows[0]?.total_rows ?? 0), ...meta },
    query,
  }),
};

type Result = PurchasePathsAnswer['results'][number];

function toResult(
  row: PurchasePathsRow,
  { asked, query: { site, dimensions } }: Planned<PurchasePathsQuery>,
): Result {
  const of = (customers = '0', minor = '0') => ({
    customers: Number(customers),
    revenue: toMoney(BigInt(minor), site.currency),
  });
  const buckets = (
    bounds: readonly number[],
    first: number,
    customers: readonly string[],
    minor: readonly string[],
  ) =>
    [first, ...bounds].map((from, index) => ({
      ...{ from, below: bounds[index] ?? null },
      ...of(customers[index], minor[index]),
    }));
  const [medianMs, p90Ms] = row.time_spread;
  const [median, p90] = row.visit_spread;
  return {
    dimensions: dimensions.map((_, index) => String(row[`d${index}`])),
    ...of(row.customers, row.minor),
    time: {
      median: rounded(medianMs, 1_000, 1),
      p90: rounded(p90Ms, 1_000, 1),
      buckets: buckets(asked.time_bounds, 0, row.time_customers, row.time_minor),
    },
    visits: {
      median: rounded(median, 1, 100),
      p90: rounded(p90, 1, 100),
      buckets: buckets(asked.visit_bounds, 1, row.visit_customers, row.visit_minor),
    },
    unknown: of(row.unknown, row.unknown_minor),
  };
}

/** In units of so many, to one part in so many of them; null for nobody. */
function rounded(value: number | null | undefined, unit: number, parts: number): number | null {
  return value == null ? null : Math.round((value / unit) * parts) / parts;
}

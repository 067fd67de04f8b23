import type { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { echoOf } from '../../query/parse/parse-fields.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { createReportKind } from '../report-kind.ts';
import { type PurchasePathsPlan, parsePurchasePaths } from './parse-purchase-paths.ts';
import { type PurchasePathsRow, toPurchasePathsStatement } from './purchase-paths-statement.ts';

/** Answers how long, and how many visits, new customers of a period took to their first payment. */
export function createPurchasePaths(
  parts: KindParts,
): QueryKind<PurchasePaths, PurchasePathsAnswer> {
  return createReportKind(parts, {
    parse: parsePurchasePaths,
    toStatement: toPurchasePathsStatement,
    paymentsOf: ({ query }) => query.filter,
    toAnswer(rows: readonly PurchasePathsRow[], paths, sent, moneyNotes) {
      const { query, timeBoundsMs, visitBounds, limit } = paths;
      return {
        results: rows.map((row) => toResult(row, paths)),
        meta: { total_rows: Number(rows[0]?.total_rows ?? 0), ...moneyNotes },
        query: {
          ...echoOf(sent, query.period),
          dimensions: query.dimensions.map(({ name }) => name),
          attribution: {
            model: query.attribution.model,
            lookback_days: query.attribution.lookbackDays,
          },
          time_bounds: timeBoundsMs.map((ms) => ms / 1_000),
          visit_bounds: [...visitBounds],
          limit,
        },
      };
    },
  });
}

type Result = PurchasePathsAnswer['results'][number];

function toResult(row: PurchasePathsRow, paths: PurchasePathsPlan): Result {
  const { site, dimensions } = paths.query;
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
  const seconds = paths.timeBoundsMs.map((ms) => ms / 1_000);
  return {
    dimensions: dimensions.map((_, index) => String(row[`d${index}`])),
    ...of(row.customers, row.minor),
    time: {
      median: rounded(medianMs, 1_000, 1),
      p90: rounded(p90Ms, 1_000, 1),
      buckets: buckets(seconds, 0, row.time_customers, row.time_minor),
    },
    visits: {
      median: rounded(median, 1, 100),
      p90: rounded(p90, 1, 100),
      buckets: buckets(paths.visitBounds, 1, row.visit_customers, row.visit_minor),
    },
    unknown: of(row.unknown, row.unknown_minor),
  };
}

/** In units of so many, to one part in so many of them; null for nobody. */
function rounded(value: number | null | undefined, unit: number, parts: number): number | null {
  return value == null ? null : Math.round((value / unit) * parts) / parts;
}

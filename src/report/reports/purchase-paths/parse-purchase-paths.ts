import type { Fault } from '#contract/fault.ts';
import type { PurchasePaths } from '#contract/reports/purchase-paths.ts';
import type { CreditedQuery } from '../../query/plan/plan-fact.ts';
import type { BaseQuery } from '../../query/query.ts';
import { parseDimensions } from '../parse-dimensions.ts';
import type { Planned } from '../report-kind.ts';

/** The way to purchases, parsed. */
export type PurchasePathsQuery = {
  readonly query: CreditedQuery;
  /** Bounds of classes, ascending: milliseconds, and visits. */
  readonly timeBoundsMs: readonly number[];
  readonly visitBounds: readonly number[];
  readonly limit: number;
};

/** The same, planned. */
export type PurchasePathsPlan = Planned<PurchasePathsQuery>;

/** An hour, a day, three, a week, two, thirty days and ninety; and what is taken when nothing is said. */
export const PURCHASE_PATHS_DEFAULTS = {
  time_bounds: [3_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000],
  visit_bounds: [2, 3, 4, 5, 6, 11],
  model: 'first_touch',
  limit: 100,
} as const;

const BROKEN_DOWN_BY = {
  what: 'purchases are',
  kinds: ['visit', 'visitor', 'payment'],
} as const;

/** What is meant; names that are not there and bounds in no order are noted. */
export function parsePurchasePaths(
  asked: PurchasePaths,
  base: BaseQuery,
  faults: Fault[],
): PurchasePathsQuery {
  const dimensions = parseDimensions(asked.dimensions ?? [], BROKEN_DOWN_BY, faults);
  const { time_bounds, visit_bounds } = { ...PURCHASE_PATHS_DEFAULTS, ...asked };
  for (const [field, bounds] of Object.entries({ time_bounds, visit_bounds })) {
    if (bounds.every((bound, index) => bound > (bounds[index - 1] ?? 0))) continue;
    faults.push({ path: `/${field}`, message: 'Bounds ascend, each greater than the one before.' });
  }
  return {
    query: {
      ...base,
      dimensions,
      attribution: {
        model: asked.attribution?.model ?? PURCHASE_PATHS_DEFAULTS.model,
        lookbackDays: asked.attribution?.lookback_days ?? null,
      },
    },
    timeBoundsMs: time_bounds.map((seconds) => seconds * 1_000),
    visitBounds: visit_bounds,
    limit: asked.limit ?? PURCHASE_PATHS_DEFAULTS.limit,
  };
}

import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import {
  Dimensions,
  Limit,
  LookbackDays,
  MoneyOf,
  Nullable,
  Strict,
  Texts,
  TOTAL_ROWS,
  UnderstoodAttribution,
} from '../query-fields.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** Attribution models that credit a single visit with the whole purchase. */
const ONE_TOUCH_MODELS = [
  'first_touch',
  'last_touch',
  'last_non_direct',
  'first_non_direct',
] as const;

/** Maximum number of rows of a breakdown, and of bounds between buckets. */
const PURCHASE_PATHS_MAX = { rows: 1_000, bounds: 20 } as const;

const Bounds = (minimum: number, maximum: number, what: string, examples: number[]) =>
  Type.Array(Type.Integer({ minimum, maximum }), {
    maxItems: PURCHASE_PATHS_MAX.bounds,
    description: `Bounds between buckets of ${what}, ascending. A bound belongs to the bucket above it.`,
    examples: [examples],
  });

const FIELDS = {
  dimensions: Dimensions(
    ['visit', 'visitor', 'payment'],
    'Dimensions of the credited visit, of its visitor, or of the purchase.',
  ),
  attribution: Strict(
    optional({
      model: Type.Enum([...ONE_TOUCH_MODELS], {
        description: 'Which visit is credited. Default: `first_touch`.',
      }),
      lookback_days: LookbackDays,
    }),
  ),
  time_bounds: Bounds(1, 315_360_000, 'the time in seconds', [3_600, 86_400]),
  visit_bounds: Bounds(2, 10_000, 'the number of visits', [2, 3, 10]),
  limit: Limit(PURCHASE_PATHS_MAX.rows, 'Number of rows of a breakdown, most customers first.'),
};

/** The body of `POST /api/v1/query/purchase-paths`. */
export const PurchasePaths = ReportQuery(FIELDS);
export type PurchasePaths = Static<typeof PurchasePaths>;

const Customers = {
  customers: Type.Integer(),
  revenue: MoneyOf('Their first payments, less refunds of these payments to date.'),
};

const Spread = (what: string) =>
  Type.Object(
    {
      median: Nullable(Type.Number(), 'Null without customers.'),
      p90: Nullable(Type.Number(), '90th percentile. Null without customers.'),
      buckets: Type.Array(
        Type.Object({
          from: Type.Integer(),
          below: Nullable(Type.Integer(), 'Exclusive upper bound. Null for the last bucket.'),
          ...Customers,
        }),
      ),
    },
    { description: `${what}, over customers with a known visit.` },
  );

/** The answer to {@link PurchasePaths}. */
export const PurchasePathsAnswer = ReportAnswer({
  row: {
    dimensions: Texts("In the order of the query's dimensions."),
    ...Customers,
    time: Spread('Seconds from the first visit to the purchase'),
    visits: Spread('Visits up to the purchase'),
    unknown: Type.Object(Customers, { description: 'Customers without a known visit.' }),
  },
  meta: { total_rows: TOTAL_ROWS },
  query: { ...FIELDS, attribution: UnderstoodAttribution },
});
export type PurchasePathsAnswer = Static<typeof PurchasePathsAnswer>;

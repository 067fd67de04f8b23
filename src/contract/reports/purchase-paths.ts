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

/** The attribution models that give a purchase to one visit, whole. */
export const ONE_TOUCH_MODELS = [
  'first_touch',
  'last_touch',
  'last_non_direct',
  'first_non_direct',
] as const;

/** How many rows a breakdown has at most, and how many bounds there are between classes. */
export const PURCHASE_PATHS_MAX = { rows: 1_000, bounds: 20 } as const;

const Bounds = (minimum: number, maximum: number, what: string, examples: number[]) =>
  Type.Array(Type.Integer({ minimum, maximum }), {
    maxItems: PURCHASE_PATHS_MAX.bounds,
    description: `Where one class of ${what} ends and the next begins, ascending.`,
    examples: [examples],
  });

const FIELDS = {
  dimensions: Dimensions(
    ['visit', 'visitor', 'payment'],
    'Of the visit that is credited with the purchase, of its visitor, or of it.',
  ),
  attribution: Strict(
    optional({
      model: Type.Enum([...ONE_TOUCH_MODELS], {
        description: 'Which visit is credited; `first_touch` when left out.',
      }),
      lookback_days: LookbackDays,
    }),
  ),
  time_bounds: Bounds(1, 315_360_000, 'times, in seconds,', [3_600, 86_400]),
  visit_bounds: Bounds(2, 10_000, 'numbers of visits', [2, 3, 10]),
  limit: Limit(
    PURCHASE_PATHS_MAX.rows,
    'How many rows of a breakdown are answered, those with most customers first.',
  ),
};

/** A query for purchase paths, as it is posted to `/api/v1/query/purchase-paths`. */
export const PurchasePaths = ReportQuery(FIELDS);
export type PurchasePaths = Static<typeof PurchasePaths>;

const Customers = {
  customers: Type.Integer(),
  revenue: MoneyOf('Their first payments, less what was paid back of these since.'),
};

const Spread = (what: string) =>
  Type.Object(
    {
      median: Nullable(Type.Number(), 'Null for nobody.'),
      p90: Nullable(Type.Number(), 'Nine in ten needed no more.'),
      buckets: Type.Array(
        Type.Object({
          from: Type.Integer(),
          below: Nullable(
            Type.Integer(),
            'The first that is in the next class; null for the last.',
          ),
          ...Customers,
        }),
      ),
    },
    { description: `${what}, over those of whom a visit is known.` },
  );

/** The answer to {@link PurchasePaths}. */
export const PurchasePathsAnswer = ReportAnswer({
  row: {
    dimensions: Texts("In the order of the query's."),
    ...Customers,
    time: Spread('Seconds from the first visit to the purchase'),
    visits: Spread('Visits up to the purchase'),
    unknown: Type.Object(Customers, { description: 'Those of whom no visit is known.' }),
  },
  meta: { total_rows: TOTAL_ROWS },
  query: { ...FIELDS, attribution: UnderstoodAttribution },
});
export type PurchasePathsAnswer = Static<typeof PurchasePathsAnswer>;

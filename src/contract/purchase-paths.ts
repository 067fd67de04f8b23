import Type, { type Static } from 'typebox';
import { MONEY_META, Money } from './query.ts';
import { ANSWERED_FIELDS, Name, QUERY_FIELDS } from './query-fields.ts';

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
  Type.Optional(
    Type.Array(Type.Integer({ minimum, maximum }), {
      maxItems: PURCHASE_PATHS_MAX.bounds,
      description: `Where one class of ${what} ends and the next begins, ascending.`,
      examples: [examples],
    }),
  );

/** A query for purchase paths, as it is posted to `/api/v1/query/purchase-paths`. */
export const PurchasePaths = Type.Object(
  {
    ...QUERY_FIELDS,
    dimensions: Type.Optional(
      Type.Array(Name('A dimension `visit:*`, `visitor:*` or `payment:*`.'), {
        maxItems: 2,
        uniqueItems: true,
        description: 'Of the visit that is credited with the purchase, of its visitor, or of it.',
      }),
    ),
    attribution: Type.Optional(
      Type.Object(
        {
          model: Type.Optional(
            Type.Enum([...ONE_TOUCH_MODELS], {
              description: 'Which visit is credited; `first_touch` when left out.',
            }),
          ),
          lookback_days: Type.Optional(
            Type.Union([Type.Integer({ minimum: 1, maximum: 730 }), Type.Null()], {
              description:
                'A whole number of days from 1 to 730, within which earlier visits count, or null for all history.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    time_bounds: Bounds(1, 315_360_000, 'times, in seconds,', [3_600, 86_400]),
    visit_bounds: Bounds(2, 10_000, 'numbers of visits', [2, 3, 10]),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PURCHASE_PATHS_MAX.rows,
        description: 'How many rows of a breakdown are answered, those with most customers first.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PurchasePaths = Static<typeof PurchasePaths>;

const Customers = {
  customers: Type.Integer(),
  revenue: Type.Object(Money.properties, {
    description: 'Their first payments, less what was paid back of these since.',
  }),
};

const Spread = (what: string) =>
  Type.Object(
    {
      median: Type.Union([Type.Number(), Type.Null()], { description: 'Null for nobody.' }),
      p90: Type.Union([Type.Number(), Type.Null()], {
        description: 'Nine in ten needed no more.',
      }),
      buckets: Type.Array(
        Type.Object({
          from: Type.Integer(),
          below: Type.Union([Type.Integer(), Type.Null()], {
            description: 'The first that is in the next class; null for the last.',
          }),
          ...Customers,
        }),
      ),
    },
    { description: `${what}, over those of whom a visit is known.` },
  );

/** The answer to {@link PurchasePaths}. */
export const PurchasePathsAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      dimensions: Type.Array(Type.String(), { description: "In the order of the question's." }),
      ...Customers,
      time: Spread('Seconds from the first visit to the purchase'),
      visits: Spread('Visits up to the purchase'),
      unknown: Type.Object(Customers, { description: 'Those of whom no visit is known.' }),
    }),
  ),
  meta: Type.Object({
    total_rows: Type.Integer({ description: 'Rows there are without the limit.' }),
    ...MONEY_META,
  }),
  query: Type.Object(
    {
      ...ANSWERED_FIELDS,
      dimensions: Type.Array(Type.String()),
      attribution: Type.Object({
        model: Type.String(),
        lookback_days: Type.Union([Type.Integer(), Type.Null()]),
      }),
      time_bounds: Type.Array(Type.Integer()),
      visit_bounds: Type.Array(Type.Integer()),
      limit: Type.Integer(),
    },
    { description: 'The question as it was understood.' },
  ),
});
export type PurchasePathsAnswer = Static<typeof PurchasePathsAnswer>;

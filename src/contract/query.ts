import Type, { type Static } from 'typebox';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { ANSWERED_FIELDS, Name, QUERY_FIELDS } from './query-fields.ts';

/** How many rows one answer holds at most, and by default. */
export const QUERY_ROWS_MAX = 10_000;

/**
 * A query, as it is posted to `/api/v1/query`: the shape of Plausible's Stats API v2, with
 * attribution.
 *
 * - Shape: metrics, dimensions and filters are named in docs/metrics.md. The schema checks their form
 *   and the report their names, so that a refusal can list which ones there are.
 */
export const Query = Type.Object(
  {
    site_id: QUERY_FIELDS.site_id,
    metrics: Type.Array(Name('A metric, such as `visitors` or `revenue`.'), {
      minItems: 1,
      maxItems: 30,
      uniqueItems: true,
    }),
    date_range: QUERY_FIELDS.date_range,
    dimensions: Type.Optional(
      Type.Array(Name('A dimension, such as `visit:source` or `time:day`.'), {
        maxItems: 5,
        uniqueItems: true,
      }),
    ),
    filters: QUERY_FIELDS.filters,
    order_by: Type.Optional(
      Type.Array(
        Type.Tuple([
          Name('A metric or dimension of this question.'),
          Type.Enum(['asc', 'desc'] as const),
        ]),
        { maxItems: 35 },
      ),
    ),
    pagination: Type.Optional(
      Type.Object(
        {
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: QUERY_ROWS_MAX })),
          offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
          cursor: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 16_384,
              description: 'The `next_cursor` of the page before; instead of `offset`.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    attribution: Type.Optional(
      Type.Object(
        {
          model: Type.Optional(
            Type.Enum([...ATTRIBUTION_MODELS], {
              description:
                'How the credit for a payment or goal is shared out among the visits before it; `first_touch` when left out.',
            }),
          ),
          models: Type.Optional(
            Type.Array(Type.Enum([...ATTRIBUTION_MODELS]), {
              minItems: 1,
              maxItems: ATTRIBUTION_MODELS.length,
              uniqueItems: true,
              description:
                'Several models side by side, instead of `model`: each credited metric then comes once for each, and `meta.metrics` names the columns.',
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
    include: Type.Optional(
      Type.Object(
        {
          total_rows: Type.Optional(Type.Boolean()),
          time_labels: Type.Optional(Type.Boolean()),
          compare: Type.Optional(
            Type.Union(
              [
                Type.Enum(['previous_period', 'year_over_year'] as const),
                Type.Tuple([Type.String({ maxLength: 40 }), Type.String({ maxLength: 40 })]),
              ],
              {
                description:
                  '`previous_period`, `year_over_year`, or a list of two days or instants, as in `date_range`.',
              },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    timezone: QUERY_FIELDS.timezone,
  },
  { additionalProperties: false },
);
export type Query = Static<typeof Query>;

/** An amount of money: a decimal string, exact to the minor unit, with its ISO 4217 currency. */
export const Money = Type.Object({
  value: Type.String({ examples: ['3100.50'] }),
  currency: Type.String({ examples: ['EUR'] }),
});
export type Money = Static<typeof Money>;

/** A metric's value: null where there is nothing to divide by. */
export const MetricValue = Type.Union([Type.Number(), Money, Type.Null()]);
export type MetricValue = Static<typeof MetricValue>;

/** What an answer says about money in other currencies than the site's. */
export const MONEY_META = {
  unconverted: Type.Optional(
    Type.Array(
      Type.Object({
        currency: Type.String(),
        gross_revenue: Money,
        refunds: Money,
        payments: Type.Integer(),
      }),
      {
        description: 'Money in currencies without a rate, which no sum of this answer includes.',
      },
    ),
  ),
  late_rates: Type.Optional(
    Type.Array(Type.Object({ currency: Type.String(), payments: Type.Integer() }), {
      description:
        'Money of days that exchange rates are not known for yet, converted at the last ones known.',
    }),
  ),
};

/** The answer to a {@link Query}. */
export const QueryAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      dimensions: Type.Array(Type.String(), { description: "In the order of the question's." }),
      metrics: Type.Array(MetricValue, {
        description: "In the order of the question's, or of `meta.metrics` where that is there.",
      }),
      comparison: Type.Optional(
        Type.Object({
          dimensions: Type.Array(Type.String()),
          metrics: Type.Array(MetricValue),
          change: Type.Array(Type.Union([Type.Number(), Type.Null()]), {
            description: 'Percent; null where the earlier value is zero or missing.',
          }),
        }),
      ),
    }),
  ),
  meta: Type.Object({
    total_rows: Type.Optional(Type.Integer({ description: 'Rows there are without pagination.' })),
    next_cursor: Type.Optional(
      Type.String({ description: 'Where the next page begins; left out on the last one.' }),
    ),
    time_labels: Type.Optional(Type.Array(Type.String())),
    metrics: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With `attribution.models`: what each value of a row’s `metrics` is, such as `revenue:linear`.',
      }),
    ),
    ...MONEY_META,
  }),
  query: Type.Object(
    {
      site_id: ANSWERED_FIELDS.site_id,
      metrics: Type.Array(Type.String()),
      date_range: ANSWERED_FIELDS.date_range,
      dimensions: Type.Array(Type.String()),
      filters: ANSWERED_FIELDS.filters,
      order_by: Type.Array(
        Type.Tuple([Type.String(), Type.Enum(['asc', 'desc'] as const, { type: 'string' })]),
      ),
      pagination: Type.Object({ limit: Type.Integer(), offset: Type.Integer() }),
      attribution: Type.Object({
        model: Type.Optional(Type.String()),
        models: Type.Optional(Type.Array(Type.String())),
        lookback_days: Type.Union([Type.Integer(), Type.Null()]),
      }),
      include: Type.Record(Type.String(), Type.Unknown()),
      timezone: ANSWERED_FIELDS.timezone,
      comparison_date_range: Type.Optional(Type.Tuple([Type.String(), Type.String()])),
    },
    { description: 'The question as it was understood.' },
  ),
});
export type QueryAnswer = Static<typeof QueryAnswer>;

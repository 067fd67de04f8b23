import Type, { type Static } from 'typebox';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';

/** How many rows one answer holds at most, and by default. */
export const QUERY_ROWS_MAX = 10_000;

const Name = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

/**
 * A question, as it is posted to `/api/v1/query`: the shape of Plausible's Stats API v2, with
 * attribution.
 *
 * - Shape: metrics, dimensions and filters are named in docs/metrics.md. The schema checks their form
 *   and the report their names, so that a refusal can tell which ones there are.
 */
export const Query = Type.Object(
  {
    site_id: Name('The site: its id (`site_…`) or its domain.'),
    metrics: Type.Array(Name('A metric, such as `visitors` or `revenue`.'), {
      minItems: 1,
      maxItems: 30,
      uniqueItems: true,
    }),
    date_range: Type.Union(
      [
        Type.String({ maxLength: 40, examples: ['30d'] }),
        Type.Tuple([Type.String({ maxLength: 40 }), Type.String({ maxLength: 40 })], {
          examples: [['2026-11-01', '2026-11-30']],
        }),
      ],
      {
        description:
          '`day`, `today`, `yesterday`, `7d`, `28d`, `30d`, `91d`, `month`, `6mo`, `12mo`, `year`, `all`, ' +
          'or a list of the first and the last day, or of two instants of which the second is left out.',
      },
    ),
    dimensions: Type.Optional(
      Type.Array(Name('A dimension, such as `visit:source` or `time:day`.'), {
        maxItems: 5,
        uniqueItems: true,
      }),
    ),
    filters: Type.Optional(
      Type.Array(Type.Array(Type.Unknown()), {
        maxItems: 50,
        description:
          'Each `[operator, dimension, values]` with `is`, `contains`, `matches` (a regular expression) or ' +
          '`matches_wildcard`, or one of these and `_not`, and `{"case_sensitive": false}` behind the ' +
          'values if wanted; or `["and" | "or", filters]`, `["not", filter]`, or ' +
          '`["has_done" | "has_not_done", filter]`. All of them must hold.',
        examples: [[['is', 'visit:source', ['Google', 'Direct']]]],
      }),
    ),
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
    timezone: Type.Optional(Name("An IANA time zone; the site's own when left out.")),
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
  }),
  query: Type.Object(
    {
      site_id: Type.String(),
      metrics: Type.Array(Type.String()),
      date_range: Type.Tuple([Type.String(), Type.String()], {
        description: 'The resolved instants; the second is the first moment left out.',
      }),
      dimensions: Type.Array(Type.String()),
      filters: Type.Array(Type.Array(Type.Unknown())),
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
      timezone: Type.String(),
      comparison_date_range: Type.Optional(Type.Tuple([Type.String(), Type.String()])),
    },
    { description: 'The question as it was understood.' },
  ),
});
export type QueryAnswer = Static<typeof QueryAnswer>;

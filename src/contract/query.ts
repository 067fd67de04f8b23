import Type, { type Static } from 'typebox';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { optional } from './optional.ts';
import {
  Cursor,
  DIMENSION_KINDS,
  Limit,
  LookbackDays,
  MONEY_META,
  Money,
  NameOf,
  Nullable,
  QUERY_FIELDS,
  Strict,
  Texts,
  Understood,
} from './query-fields.ts';

/** Default and maximum number of rows of one answer. */
export const QUERY_ROWS_MAX = 10_000;

const Ordered = NameOf(['metric', ...DIMENSION_KINDS], 'A metric or dimension of this query.');
const Direction = Type.Enum(['asc', 'desc'] as const);
const Model = Type.Enum([...ATTRIBUTION_MODELS], {
  description:
    'How the visits before a payment or goal share the credit for it. Default: `first_touch`.',
});

/**
 * The body of `POST /api/v1/query`: Plausible's Stats API v2 with attribution.
 *
 * - Shape: docs/metrics.md lists metrics, dimensions and filters. The schema checks only the form of
 *   names. The report checks the names themselves, so that a refusal can list the valid ones.
 */
export const SentQuery = Strict({
  site_id: QUERY_FIELDS.site_id,
  metrics: Type.Array(NameOf(['metric'], 'A metric, such as `visitors` or `revenue`.'), {
    minItems: 1,
    maxItems: 40,
    uniqueItems: true,
  }),
  date_range: QUERY_FIELDS.date_range,
  dimensions: Type.Optional(
    Type.Array(NameOf(DIMENSION_KINDS, 'A dimension, such as `visit:source` or `time:day`.'), {
      maxItems: 5,
      uniqueItems: true,
    }),
  ),
  filters: QUERY_FIELDS.filters,
  ...optional({
    separately: Type.Boolean({
      description:
        'Breaks down by each of several `visit:` dimensions on its own, in little more time than by one. Rows begin with the name of their dimension.',
    }),
    order_by: Type.Array(Type.Tuple([Ordered, Direction]), { maxItems: 35 }),
    pagination: Strict(
      optional({
        limit: Limit(QUERY_ROWS_MAX, `Number of rows. Default: ${QUERY_ROWS_MAX}.`),
        offset: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
        cursor: Cursor('The `next_cursor` of the previous page. Replaces `offset`.'),
      }),
    ),
    attribution: Strict(
      optional({
        model: Model,
        models: Type.Array(Type.Enum([...ATTRIBUTION_MODELS]), {
          minItems: 1,
          maxItems: ATTRIBUTION_MODELS.length,
          uniqueItems: true,
          description:
            'Several models side by side; replaces `model`. Each credited metric then has one column per model, and `meta.metrics` names the columns.',
        }),
        lookback_days: LookbackDays,
      }),
    ),
    include: Strict(
      optional({
        total_rows: Type.Boolean(),
        time_labels: Type.Boolean(),
        totals: Type.Boolean({ description: 'Adds `totals` to the first page.' }),
        imports: Type.Boolean({
          description:
            'Accepted for compatibility. It has no effect: imported events count like all others.',
        }),
        compare: Type.Union(
          [
            Type.Enum(['previous_period', 'year_over_year', 'same_weekdays'] as const),
            Type.Tuple([Type.String({ maxLength: 40 }), Type.String({ maxLength: 40 })]),
          ],
          {
            description:
              '`previous_period`, `year_over_year`, `same_weekdays` (364 days earlier), or an array of two days or instants, as in `date_range`. While `date_range` is not over, only the same part of the other counts.',
          },
        ),
      }),
    ),
  }),
  timezone: QUERY_FIELDS.timezone,
});
export type SentQuery = Static<typeof SentQuery>;

/** A metric's value; null if its denominator is 0. */
export const MetricValue = Type.Union([Type.Number(), Money, Type.Null()], {
  title: 'MetricValue',
});
export type MetricValue = Static<typeof MetricValue>;

const ROW = {
  dimensions: Texts(
    "In the order of the query's dimensions; with `separately`, a dimension and its value.",
  ),
  metrics: Type.Array(MetricValue, {
    description: "In the order of the query's metrics, or of `meta.metrics` if present.",
  }),
  comparison: Type.Optional(
    Type.Object({
      dimensions: Type.Array(Type.String()),
      metrics: Type.Array(MetricValue),
      change: Type.Array(Nullable(Type.Number()), {
        description: 'Percent; null if the earlier value is zero or missing.',
      }),
    }),
  ),
};

/** The answer to a {@link SentQuery}. */
export const QueryAnswer = Type.Object({
  results: Type.Array(Type.Object(ROW, { title: 'QueryRow' })),
  ...optional({
    totals: Type.Object(ROW, {
      title: 'QueryRow',
      description:
        'With `include.totals`: all rows as one, without dimensions. A visitor of several rows counts once.',
    }),
  }),
  meta: Type.Object({
    ...optional({
      total_rows: Type.Integer({ description: 'Number of rows before pagination.' }),
      next_cursor: Type.String({
        description: 'The cursor of the next page. Absent on the last page.',
      }),
      time_labels: Type.Array(Type.String()),
      imports_included: Type.Literal(false, {
        description: 'With `include.imports`: there is no imported data besides the events.',
      }),
      metrics: Texts(
        'With `attribution.models`: the column names of each row’s `metrics`, such as `revenue:linear`.',
      ),
      approximate: Type.Literal(true, {
        description:
          'Distinct visitors are estimated within about 0.3 percent, because the period has more than a million visits.',
      }),
    }),
    ...MONEY_META,
  }),
  query: Understood({
    metrics: Type.Array(Type.String()),
    dimensions: Type.Array(Type.String()),
    order_by: Type.Array(
      Type.Tuple([Type.String(), Type.Enum(['asc', 'desc'] as const, { type: 'string' })]),
    ),
    pagination: Type.Object({ limit: Type.Integer(), offset: Type.Integer() }),
    attribution: Type.Object({
      model: Type.Optional(Type.String()),
      models: Type.Optional(Type.Array(Type.String())),
      lookback_days: Nullable(Type.Integer()),
    }),
    include: Type.Record(Type.String(), Type.Unknown()),
    comparison_date_range: Type.Optional(Type.Tuple([Type.String(), Type.String()])),
  }),
});
export type QueryAnswer = Static<typeof QueryAnswer>;

/** File formats that the warehouse writes. */
export type FileFormat = 'Parquet' | 'Arrow' | 'ArrowStream' | 'CSV' | 'JSONEachRow';

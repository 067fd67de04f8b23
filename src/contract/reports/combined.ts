import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { QUERY_ROWS_MAX, QueryAnswer, SentQuery } from '../query.ts';
import { Limit, Name, NameOf, QUERY_FIELDS, Strict } from '../query-fields.ts';

/** What adds up over sites, and revenue per visitor. */
const COMBINED_METRICS = [
  ...(['visitors', 'visits', 'pageviews', 'events', 'payments', 'customers'] as const),
  ...(['revenue', 'gross_revenue', 'refunds', 'new_revenue', 'renewal_revenue'] as const),
  ...(['gross_new_revenue', 'gross_renewal_revenue', 'revenue_per_visitor'] as const),
] as const;

const TIMES = ['time', 'time:hour', 'time:day', 'time:week', 'time:month'];
const KINDS = ['visit', 'visitor', 'event', 'payment'] as const;

/** More sites than anybody adds up by eye. */
const SITES_MAX = 100;

const { attribution, include } = SentQuery.properties;

/** The body of `POST /api/v1/query/sites`: several sites as one. */
export const CombinedQuery = Strict({
  site_ids: Type.Array(Name('A site’s id or domain.'), {
    ...{ minItems: 1, maxItems: SITES_MAX, uniqueItems: true },
  }),
  metrics: Type.Array(Type.Enum([...COMBINED_METRICS]), {
    ...{ minItems: 1, maxItems: COMBINED_METRICS.length, uniqueItems: true },
  }),
  date_range: SentQuery.properties.date_range,
  ...optional({
    dimensions: Type.Array(
      NameOf(KINDS, '`site` has a row for each site, named by its domain.', ['site', ...TIMES]),
      { maxItems: 1 },
    ),
    currency: Type.String({
      ...{ minLength: 3, maxLength: 3, examples: ['EUR'] },
      description: 'The currency of all money. Default: that of the first site.',
    }),
    limit: Limit(QUERY_ROWS_MAX, `Number of rows. Default: ${QUERY_ROWS_MAX}.`),
  }),
  filters: QUERY_FIELDS.filters,
  attribution,
  include: Type.Optional(
    Strict(
      optional({
        compare: include.properties.compare,
        time_labels: Type.Boolean(),
        totals: Type.Boolean({ description: 'Adds `totals` by `site` and `time`.' }),
      }),
    ),
  ),
});
export type CombinedQuery = Static<typeof CombinedQuery>;

/** Whether rows are those of a dimension that sites share, such as `visit:source`: neither sites nor times. */
export function isShared(dimension: string): boolean {
  return dimension !== 'site' && !TIMES.includes(dimension);
}

const { results, totals, meta } = QueryAnswer.properties;

/** The answer to a {@link CombinedQuery}. */
export const CombinedAnswer = Type.Object(
  {
    ...{ results, totals, meta },
    query: Type.Object({
      sites: Type.Array(Type.String(), { description: 'The domains of the sites.' }),
      metrics: Type.Array(Type.String()),
      dimensions: Type.Array(Type.String()),
      filters: Type.Array(Type.Array(Type.Unknown())),
      date_range: Type.Tuple([Type.String(), Type.String()], {
        description: 'From the first instant of any of the sites’ periods to the last, exclusive.',
      }),
      currency: Type.String(),
    }),
  },
  { description: 'The result.' },
);
export type CombinedAnswer = Static<typeof CombinedAnswer>;

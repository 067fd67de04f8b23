import Type, { type Static } from 'typebox';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { optional } from '../optional.ts';
import { SentQuery } from '../query.ts';
import {
  DATE_RANGE_FORM,
  Limit,
  LookbackDays,
  Name,
  NameOf,
  QUERY_FIELDS,
  Strict,
} from '../query-fields.ts';
import { Funnel } from '../reports/funnel.ts';
import { Retention } from '../reports/retention.ts';
import { NewAnnotation } from '../sites/saved.ts';
import { Text } from '../text.ts';

/** Default and maximum number of rows that a tool returns: an answer has to fit into an assistant's context. */
export const TOOL_ROWS = { byDefault: 25, max: 100 } as const;

/** The number of periods of each cohort that a tool returns by default. */
export const TOOL_PERIODS = 8;

const Pair = (what: string) =>
  Type.Array(Type.String({ maxLength: 100 }), { minItems: 2, maxItems: 2, description: what });

/** The fields of every tool about a period. Lists instead of tuples, because model providers refuse tuples. */
const PERIOD = optional({
  site: Name("The key's own site, by domain or id; by default that one."),
  date_range: Type.Union([Type.String({ maxLength: 40 }), Pair('The first and the last day.')], {
    description: `In the site's time zone; 30d by default. ${DATE_RANGE_FORM}`,
  }),
  timezone: QUERY_FIELDS.timezone,
  filters: QUERY_FIELDS.filters,
});
const ROWS = Type.Optional(Limit(TOOL_ROWS.max, `Rows; ${TOOL_ROWS.byDefault} by default.`));
const CREDIT = optional({
  model: Type.Enum([...ATTRIBUTION_MODELS], {
    description: 'How visits share the credit; first_touch by default.',
  }),
  lookback_days: LookbackDays,
});
const { metrics, dimensions } = SentQuery.properties;

/** The arguments of tools about a site and nothing else. */
export const SiteArguments = Strict({ site: PERIOD.site });

/** The arguments of `query`. */
export const QueryArguments = Strict({
  ...{ metrics, dimensions },
  ...PERIOD,
  ...CREDIT,
  ...optional({
    order_by: Type.Array(Pair('A metric or dimension of the query, and asc or desc.'), {
      maxItems: 35,
    }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
    compare: Type.Enum(['previous_period', 'year_over_year'] as const),
  }),
  limit: ROWS,
});
export type QueryArguments = Static<typeof QueryArguments>;

/** The arguments of `compare_attribution`. */
export const CompareArguments = Strict({
  ...PERIOD,
  ...optional({
    metrics: Type.Array(NameOf(['metric'], 'A credited metric.'), {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      description: 'revenue by default; also payments, customers, conversions …',
    }),
    dimension: NameOf(['visit'], 'visit:source by default; also visit:channel, visit:campaign …'),
    models: Type.Array(Type.Enum([...ATTRIBUTION_MODELS]), {
      minItems: 1,
      maxItems: ATTRIBUTION_MODELS.length,
      uniqueItems: true,
      description: 'All by default.',
    }),
    lookback_days: LookbackDays,
  }),
  limit: ROWS,
});
export type CompareArguments = Static<typeof CompareArguments>;

/** The arguments of `explain_payment`. */
export const PaymentArguments = Strict({
  site: PERIOD.site,
  transaction_id: Text({ minLength: 1, maxLength: 255, description: 'Of a payment or refund.' }),
  ...CREDIT,
});
export type PaymentArguments = Static<typeof PaymentArguments>;

const { steps, within, by } = Funnel.properties;
/** The arguments of `funnel`. */
export const FunnelArguments = Strict({
  ...PERIOD,
  ...{ steps, within, by, dimensions: Funnel.properties.dimensions },
  limit: ROWS,
});
export type FunnelArguments = Static<typeof FunnelArguments>;

const { unit, cohort, measure, periods } = Retention.properties;
/** The arguments of `retention`. */
export const RetentionArguments = Strict({
  ...PERIOD,
  ...{ unit, cohort, measure, by: Retention.properties.by },
  periods: Type.Optional({
    ...periods,
    description: `Periods of each cohort, the first included; ${TOOL_PERIODS} by default.`,
  }),
});
export type RetentionArguments = Static<typeof RetentionArguments>;

/** The arguments of `annotate`. */
export const AnnotateArguments = Strict({
  site: PERIOD.site,
  at: Type.Optional(NewAnnotation.properties.at),
  text: NewAnnotation.properties.text,
});
export type AnnotateArguments = Static<typeof AnnotateArguments>;

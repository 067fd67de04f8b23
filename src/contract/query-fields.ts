import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { optional } from './optional.ts';

/** An amount of money: a decimal string, exact to the minor unit, with its ISO 4217 currency. */
export const Money = Type.Object(
  { value: Type.String({ examples: ['3100.50'] }), currency: Type.String({ examples: ['EUR'] }) },
  { title: 'Money' },
);
export type Money = Static<typeof Money>;

/** {@link Money} with a description. */
export const MoneyOf = (description: string) => ({ ...Money, description });

/** A short name with a description. */
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description });

/** Kinds of names in a query: `metric`, or the prefix of a dimension. */
type NameKind = 'metric' | (typeof DIMENSION_KINDS)[number];

/**
 * The name of a metric or dimension of the given kinds.
 *
 * - Shape: the API description lists these names after `more`. A query may also use aliases.
 */
export const NameOf = (
  kinds: readonly NameKind[],
  description: string,
  more: readonly string[] = [],
) => Type.String({ minLength: 1, maxLength: 100, description, 'x-names': [...more, ...kinds] });

/** Prefixes of dimensions. */
export const DIMENSION_KINDS = ['visit', 'visitor', 'event', 'payment', 'time'] as const;

/** An object that allows no other fields. */
export const Strict = <Fields extends TProperties>(fields: Fields, title?: string) =>
  Type.Object(fields, { additionalProperties: false, ...(title !== undefined && { title }) });

/** A value that may be null. */
export const Nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** A maximum number of rows. */
export const Limit = (maximum: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, description });

/** Up to two dimensions of a breakdown. */
export function Dimensions(kinds: readonly NameKind[], description: string) {
  const those = `A dimension ${kinds.map((kind) => `\`${kind}:*\``).join(' or ')}.`;
  return Type.Array(NameOf(kinds, those), { maxItems: 2, uniqueItems: true, description });
}

/** A list of strings. */
export const Texts = (description: string) => Type.Array(Type.String(), { description });

/** The lookback window of attribution. */
export const LookbackDays = Nullable(
  Type.Integer({ minimum: 1, maximum: 730 }),
  'A whole number of days from 1 to 730, or null for all history.',
);

/** A pagination cursor. */
export const Cursor = (description: string) =>
  Type.String({ minLength: 1, maxLength: 16_384, description });

/** How a date range is written. */
export const DATE_RANGE_FORM =
  '`day`, `today`, `yesterday`, `24h`, `7d`, `28d`, `30d`, `91d`, `month`, `6mo`, `12mo`, `year`, `all`, or an array of the first and the last day, or of two instants, the second exclusive.';

/** How filters are written. */
export const FILTERS_FORM =
  'All filters must hold. A filter is `[operator, dimension, values]`, where the operator is `is`, `contains`, `matches` (a regular expression) or `matches_wildcard`, or one of these with the suffix `_not`. Append `{"case_sensitive": false}` to ignore case. Combine filters with `["and" | "or", filters]`, `["not", filter]` and `["has_done" | "has_not_done", filter]`.';

/** The fields of every query and report: site, date range, filters and time zone. */
export const QUERY_FIELDS = {
  site_id: Name("The site's id (`site_…`) or domain."),
  date_range: Type.Union(
    [
      Type.String({ maxLength: 40, examples: ['30d'] }),
      Type.Tuple([Type.String({ maxLength: 40 }), Type.String({ maxLength: 40 })], {
        examples: [['2026-11-01', '2026-11-30']],
      }),
    ],
    {
      title: 'DateRange',
      description: DATE_RANGE_FORM,
    },
  ),
  filters: Type.Optional(
    Type.Array(Type.Array(Type.Unknown()), {
      maxItems: 50,
      description: FILTERS_FORM,
      examples: [[['is', 'visit:source', ['Google', 'Direct']]]],
    }),
  ),
  timezone: Type.Optional(Name("An IANA time zone. Default: the site's time zone.")),
};

const AskedFields = Type.Object(QUERY_FIELDS);
/** The type of {@link QUERY_FIELDS}. */
export type AskedFields = Static<typeof AskedFields>;

/** The query as the server understood it: the fields of every query and its own. */
export const Understood = <Fields extends TProperties>(fields: Fields, more = '') =>
  Type.Object(
    {
      site_id: Type.String(),
      date_range: Type.Tuple([Type.String(), Type.String()], {
        description: 'The resolved instants; the second is exclusive.',
      }),
      filters: Type.Array(Type.Array(Type.Unknown())),
      timezone: Type.String(),
      ...fields,
    },
    { description: `The query as the server understood it${more}.` },
  );

/** The attribution that was used. */
export const UnderstoodAttribution = Type.Object({
  model: Type.String(),
  lookback_days: Nullable(Type.Integer()),
});

/** The number of rows before the limit. */
export const TOTAL_ROWS = Type.Integer({ description: 'Number of rows before the limit.' });

/** Notes on how current an answer is, and on money in other currencies. */
export const MONEY_META = optional({
  behind_seconds: Type.Integer({
    description: 'Age of the oldest event not yet in the warehouse, if more than ten seconds.',
  }),
  unconverted: Type.Array(
    Type.Object(
      {
        ...{ currency: Type.String(), payments: Type.Integer() },
        ...{ gross_revenue: Money, refunds: Money },
      },
      { title: 'Unconverted' },
    ),
    {
      description:
        'Money in currencies without an exchange rate. No sum in the site’s currency includes it.',
    },
  ),
  unconverted_costs: Type.Array(Type.Object({ currency: Type.String(), cost: Money }), {
    title: 'UnconvertedCosts',
    description:
      'Costs in currencies without an exchange rate. No sum in the site’s currency includes them; ratios of rows with one are null.',
  }),
  converting: Type.Object(
    { converted: Type.Integer(), payments: Type.Integer() },
    {
      title: 'Converting',
      description:
        'While payments are converted again, for another currency or later rates: how many are, of how many. Until then, some amounts are old.',
    },
  ),
  late_rates: Type.Array(Type.Object({ currency: Type.String(), payments: Type.Integer() }), {
    title: 'LateRates',
    description:
      'Payments and refunds of the period, whatever the filter, that were converted at an older rate because that of their day is not known yet.',
  }),
  rates_until: Type.String({
    description:
      'The last day with exchange rates, if it is more than five days ago and the site is paid in other currencies.',
  }),
});

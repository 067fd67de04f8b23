import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { optional } from './optional.ts';

/** An amount of money: a decimal string, exact to the minor unit, with its ISO 4217 currency. */
export const Money = Type.Object({
  value: Type.String({ examples: ['3100.50'] }),
  currency: Type.String({ examples: ['EUR'] }),
});
export type Money = Static<typeof Money>;

/** Money, with what it is. */
export const MoneyOf = (description: string) => Type.Object(Money.properties, { description });

/** A short text that names something, with what it names. */
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description });

/** What names that a query can hold begin with: `metric` stands for every metric. */
export type NameKind = 'metric' | (typeof DIMENSION_KINDS)[number];

/**
 * The name of a metric or dimension of these kinds.
 *
 * - Shape: the description of the API lists them, and `more` before them; a query may also use
 *   other names of the same.
 */
export const NameOf = (
  kinds: readonly NameKind[],
  description: string,
  more: readonly string[] = [],
) => Type.String({ minLength: 1, maxLength: 100, description, 'x-names': [...more, ...kinds] });

/** What rows can be grouped by. */
export const DIMENSION_KINDS = ['visit', 'visitor', 'event', 'payment', 'time'] as const;

/** An object without any other fields. */
export const Strict = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

/** A value that may be null. */
export const Nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** How many rows are answered. */
export const Limit = (maximum: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, description });

/** Up to two dimensions of a breakdown. */
export const Dimensions = (kinds: readonly NameKind[], description: string) =>
  Type.Array(NameOf(kinds, toKinds(kinds)), { maxItems: 2, uniqueItems: true, description });

function toKinds(kinds: readonly NameKind[]): string {
  return `A dimension ${kinds.map((kind) => `\`${kind}:*\``).join(' or ')}.`;
}

/** A list of texts. */
export const Texts = (description: string) => Type.Array(Type.String(), { description });

/** How far back earlier visits count. */
export const LookbackDays = Nullable(
  Type.Integer({ minimum: 1, maximum: 730 }),
  'A whole number of days from 1 to 730, within which earlier visits count, or null for all history.',
);

/** The page that the `next_cursor` of another one leads to. */
export const Cursor = (description: string) =>
  Type.String({ minLength: 1, maxLength: 16_384, description });

/** The fields of every query and report: which site, when, for whom, in which zone. */
export const QUERY_FIELDS = {
  site_id: Name('The site: its id (`site_…`) or its domain.'),
  date_range: Type.Union(
    [
      Type.String({ maxLength: 40, examples: ['30d'] }),
      Type.Tuple([Type.String({ maxLength: 40 }), Type.String({ maxLength: 40 })], {
        examples: [['2026-11-01', '2026-11-30']],
      }),
    ],
    {
      description:
        '`day`, `today`, `yesterday`, `24h`, `7d`, `28d`, `30d`, `91d`, `month`, `6mo`, `12mo`, `year`, `all`, ' +
        'or a list of the first and the last day, or of two instants of which the second is left out.',
    },
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
  timezone: Type.Optional(Name("An IANA time zone; the site's own when left out.")),
};

const AskedFields = Type.Object(QUERY_FIELDS);
/** The fields of {@link QUERY_FIELDS}, as they are sent. */
export type AskedFields = Static<typeof AskedFields>;

/** The query as it was understood, with its own fields beside those of every query. */
export const Understood = <Fields extends TProperties>(fields: Fields, more = '') =>
  Type.Object(
    {
      site_id: Type.String(),
      date_range: Type.Tuple([Type.String(), Type.String()], {
        description: 'The resolved instants; the second is the first moment left out.',
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

/** Rows beyond the limit, counted too. */
export const TOTAL_ROWS = Type.Integer({ description: 'Rows there are without the limit.' });

/** What an answer says of money in other currencies than the site's. */
export const MONEY_META = optional({
  behind_seconds: Type.Integer({
    description: 'For how long the oldest event has waited, when that is over ten seconds.',
  }),
  unconverted: Type.Array(
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
  late_rates: Type.Array(Type.Object({ currency: Type.String(), payments: Type.Integer() }), {
    description:
      'Payments and refunds of the period, whatever the filter, that were converted at the last rates known as those of their day are not.',
  }),
});

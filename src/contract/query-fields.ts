import Type, { type Static } from 'typebox';

/** A short text that names something, with what it names. */
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description });

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
        '`day`, `today`, `yesterday`, `7d`, `28d`, `30d`, `91d`, `month`, `6mo`, `12mo`, `year`, `all`, ' +
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
/** The fields of {@link QUERY_FIELDS} as the server understood them. */
export type AskedFields = Static<typeof AskedFields>;

/** The same fields as they were understood. */
export const ANSWERED_FIELDS = {
  site_id: Type.String(),
  date_range: Type.Tuple([Type.String(), Type.String()], {
    description: 'The resolved instants; the second is the first moment left out.',
  }),
  filters: Type.Array(Type.Array(Type.Unknown())),
  timezone: Type.String(),
};

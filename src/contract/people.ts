import Type, { type Static, type TProperties } from 'typebox';
import { optional } from './optional.ts';
import { PEOPLE_ORDERS } from './people-orders.ts';
import { SentQuery } from './query.ts';
import {
  Cursor,
  Limit,
  MONEY_META,
  Money,
  Nullable,
  QUERY_FIELDS,
  Strict,
  Texts,
  Understood,
} from './query-fields.ts';

/** Default and maximum number of visitors or persons per page. */
export const PEOPLE_ROWS = { byDefault: 50, max: 200 } as const;

const Direction = Type.Enum(['asc', 'desc'] as const);
const { model, lookback_days } = SentQuery.properties.attribution.properties;

/** A query for a list of visitors or persons. */
export const PeopleQuery = Strict({
  ...QUERY_FIELDS,
  ...optional({
    search: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Part of a visitor id, user id or customer id. With scope `visitors:read`, also part of an e-mail address, name or trait.',
    }),
    order_by: Type.Array(Type.Tuple([Type.Enum([...PEOPLE_ORDERS]), Direction]), {
      minItems: 1,
      maxItems: 1,
      description: 'Default: `[["last_seen_at", "desc"]]`. Ties are ordered by id.',
    }),
    pagination: Strict(
      optional({
        limit: Limit(PEOPLE_ROWS.max, `Number of rows: 1 to ${PEOPLE_ROWS.max}.`),
        cursor: Cursor('The `next_cursor` of the previous page of the same query.'),
      }),
    ),
    attribution: Strict({ model, lookback_days }),
    include: Strict({ total_rows: Type.Optional(Type.Boolean()) }),
  }),
});
export type PeopleQuery = Static<typeof PeopleQuery>;

const Instant = Type.String({ format: 'date-time' });

/** The ids, addresses and names of a person. */
export const KNOWN_BY = {
  user_ids: Texts('User ids from `identify`.'),
  customer_ids: Texts('Customer ids from payments.'),
  emails: Type.Optional(Texts('Requires scope `visitors:read`.')),
};

const VisitValues = (description: string) =>
  Nullable(Type.Record(Type.String(), Type.String()), description);

const ROW = {
  person_id: Type.String(),
  first_seen_at: Nullable(Instant),
  last_seen_at: Nullable(
    Instant,
    'End of the latest visit that began in the period, or the last activity in the period of an earlier visit. Goals reported by a server do not count.',
  ),
  visits: Type.Integer({ description: 'In the period, like all counts and amounts.' }),
  pageviews: Type.Integer(),
  conversions: Type.Number({
    description: 'Goals reached. Fractional if a filter matches only some of the credited visits.',
  }),
  payments: Type.Number({ description: 'Fractional in the same case.' }),
  revenue: Money,
  first_visit: VisitValues('Acquisition of the first visit ever.'),
  latest_visit: VisitValues('Acquisition, location and browser of the latest visit ever.'),
  ...KNOWN_BY,
};

const Meta = Type.Object({
  ...optional({
    total_rows: Type.Integer(),
    next_cursor: Type.String({ description: 'Absent on the last page.' }),
  }),
  ...MONEY_META,
});
const PageOf = <Own extends TProperties>(what: string, own: Own) =>
  Type.Object(
    {
      results: Type.Array(Type.Object({ ...own, ...ROW })),
      meta: Meta,
      query: Understood({
        order_by: Type.Array(Type.Tuple([Type.String(), Type.String()])),
        pagination: Type.Object({ limit: Type.Integer() }),
      }),
    },
    { description: `A page of ${what}.` },
  );

/** A page of visitors. */
export const VisitorsAnswer = PageOf('visitors', { service_visitor_id: Type.String() });
export type VisitorsAnswer = Static<typeof VisitorsAnswer>;

/** A page of persons. */
export const PersonsAnswer = PageOf('persons', { visitors: Texts('All visitors of this person.') });
export type PersonsAnswer = Static<typeof PersonsAnswer>;

import Type, { type Static, type TProperties } from 'typebox';
import { optional } from './optional.ts';
import { Query } from './query.ts';
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

/** How many visitors or persons one page lists, by default and at most. */
export const PEOPLE_ROWS = { byDefault: 50, max: 200 } as const;

/** What lists of people can be ordered by. */
export const PEOPLE_ORDERS = [
  'last_seen_at',
  'visits',
  'pageviews',
  'conversions',
  'payments',
  'revenue',
] as const;

/** What a list of people can be ordered by. */
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number];

const Direction = Type.Enum(['asc', 'desc'] as const);
const { model, lookback_days } = Query.properties.attribution.properties;

/** A query for a list of visitors or persons. */
export const PeopleQuery = Strict({
  ...QUERY_FIELDS,
  ...optional({
    search: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A part of a visitor’s id, of a user id or customer id, or, with a key of scope `visitors:read`, of an e-mail address or name.',
    }),
    order_by: Type.Array(Type.Tuple([Type.Enum([...PEOPLE_ORDERS]), Direction]), {
      minItems: 1,
      maxItems: 1,
      description: '`[["last_seen_at", "desc"]]` when left out. Equals stand by their ids.',
    }),
    pagination: Strict(
      optional({
        limit: Limit(PEOPLE_ROWS.max, `How many rows: 1 to ${PEOPLE_ROWS.max}.`),
        cursor: Cursor('The `next_cursor` of the page before, with the same query.'),
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
  user_ids: Texts('What `identify` named.'),
  customer_ids: Texts('What payments named.'),
  emails: Type.Optional(Texts('With a key of scope `visitors:read`.')),
};

const VisitValues = (description: string) =>
  Nullable(Type.Record(Type.String(), Type.String()), description);

const ROW = {
  person_id: Type.String(),
  first_seen_at: Nullable(Instant),
  last_seen_at: Nullable(
    Instant,
    'The end of the latest visit that began in the period, or what was last done in the period in an earlier one. A goal that a server reported is not being seen.',
  ),
  visits: Type.Integer({ description: 'Of the period, as are all figures.' }),
  pageviews: Type.Integer(),
  conversions: Type.Number({
    description: 'Goals reached; in parts where filters choose among credited visits.',
  }),
  payments: Type.Number({ description: 'In parts, likewise.' }),
  revenue: Money,
  first_visit: VisitValues('Where the first visit of all came from.'),
  latest_visit: VisitValues('The latest visit of all, and its place and browser.'),
  ...KNOWN_BY,
};

const Meta = Type.Object({
  ...optional({
    total_rows: Type.Integer(),
    next_cursor: Type.String({ description: 'Left out on the last page.' }),
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
export const PersonsAnswer = PageOf('persons', {
  visitors: Texts('All visitors who are this person.'),
});
export type PersonsAnswer = Static<typeof PersonsAnswer>;

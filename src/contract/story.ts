import Type, { type Static } from 'typebox';
import { optional } from './optional.ts';
import { KNOWN_BY } from './people.ts';
import { Money, UnderstoodAttribution } from './query-fields.ts';

/** How many visits one page of a story lists, by default and at most. */
export const STORY_VISITS = { byDefault: 50, max: 200 } as const;
/** How many payments and refunds, and goals of no visit, are listed: the latest. */
export const STORY_FACTS_MAX = 1_000;
/** How many events of each visit are listed: the first ones. */
export const STORY_EVENTS_MAX = 200;

const Instant = Type.String({ format: 'date-time' });

/** What is credited to a visit, or to none. */
export const StoryCredit = Type.Object({
  revenue: Money,
  payments: Type.Number({ description: 'Of a model that shares credit out: in parts.' }),
  conversions: Type.Number(),
});
export type StoryCredit = Static<typeof StoryCredit>;

/** Something that was done. Empty texts are left out. */
export const StoryEvent = Type.Object({
  at: Instant,
  type: Type.String(),
  ...optional({
    page: Type.String(),
    title: Type.String(),
    goal: Type.String(),
    props: Type.Record(Type.String(), Type.String()),
  }),
});
export type StoryEvent = Static<typeof StoryEvent>;

/** One visit, with what is credited to it. */
const StoryVisit = Type.Object({
  visit_id: Type.String(),
  service_visitor_id: Type.String(),
  started_at: Instant,
  last_event_at: Instant,
  pageviews: Type.Integer(),
  goals: Type.Integer(),
  engagement_seconds: Type.Integer(),
  values: Type.Record(Type.String(), Type.String(), {
    description: 'As the dimensions `visit:*` have them: `source`, `channel`, `entry_page` …',
  }),
  credit: StoryCredit,
  events: Type.Array(StoryEvent, { description: `The first ${STORY_EVENTS_MAX} of each visit.` }),
});

/** A payment or refund, with the visits that it is credited to. */
const StoryPayment = Type.Object({
  type: Type.Enum(['payment', 'refund'] as const),
  transaction_id: Type.String(),
  original_transaction_id: Type.Optional(Type.String()),
  at: Instant,
  amount: Type.Object(Money.properties, { description: 'As it was paid.' }),
  renewal: Type.Boolean(),
  ...optional({
    product: Type.String(),
    customer_id: Type.String(),
    service_visitor_id: Type.String(),
  }),
  credit: Type.Array(Type.Object({ visit_id: Type.String(), revenue: Money }), {
    description: 'In the site’s currency; empty for what no visit can be credited for.',
  }),
});

/** One person’s whole story. */
export const StoryAnswer = Type.Object(
  {
    person: Type.Object({
      person_id: Type.String(),
      visitors: Type.Array(Type.String()),
      ...KNOWN_BY,
      names: Type.Optional(Type.Array(Type.String())),
    }),
    totals: Type.Object({
      visits: Type.Integer({ description: 'Of all time.' }),
      gross_revenue: Money,
      refunds: Money,
      revenue: Money,
      payments: Type.Integer(),
      conversions: Type.Integer(),
    }),
    visits: Type.Array(StoryVisit, { description: 'The latest first.' }),
    unattributed: Type.Object(StoryCredit.properties, {
      description: 'What no visit can be credited for.',
    }),
    payments: Type.Array(StoryPayment, { description: 'Of the period, the latest first.' }),
    goals_of_no_visit: Type.Array(StoryEvent, {
      description: 'Of the period: what a server reported while the visitor was away.',
    }),
    identities: Type.Array(
      Type.Object({
        service_visitor_id: Type.String(),
        user_id: Type.Optional(Type.String()),
        email: Type.Optional(Type.String()),
        first_at: Instant,
        last_at: Instant,
      }),
    ),
    meta: Type.Object({ next_cursor: Type.Optional(Type.String()) }),
    query: Type.Object({
      date_range: Type.Tuple([Type.String(), Type.String()]),
      timezone: Type.String(),
      attribution: UnderstoodAttribution,
      limit: Type.Integer(),
    }),
  },
  {
    description:
      'E-mail addresses, names and custom parameters need a key of scope `visitors:read`.',
  },
);
export type StoryAnswer = Static<typeof StoryAnswer>;

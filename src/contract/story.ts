import Type, { type Static } from 'typebox';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { optional } from './optional.ts';
import { KNOWN_BY } from './people.ts';
import { MONEY_META, Money, UnderstoodAttribution } from './query-fields.ts';
import { OptionalText, VISITOR_ID_EXAMPLE } from './text.ts';

/** Default and maximum number of visits per page of a story. */
export const STORY_VISITS = { byDefault: 50, max: 200 } as const;

/** The parameters of a story, besides its site. */
export const STORY_PARAMS = {
  model: Type.Optional(Type.Enum([...ATTRIBUTION_MODELS], { default: ATTRIBUTION_MODELS[0] })),
  lookback_days: OptionalText('A whole number of days from 1 to 730; all history by default.'),
  date_range: OptionalText('The period of payments and goals: `30d`, `month`, `all` …'),
  from: OptionalText('With `to`, instead of `date_range`: the first day or instant.'),
  to: OptionalText('With `from`: the last day, or the instant to stop before.'),
  timezone: OptionalText('An IANA time zone; the site’s own by default.'),
  limit: OptionalText(
    `Visits per page: 1 to ${STORY_VISITS.max}; ${STORY_VISITS.byDefault} by default.`,
  ),
  cursor: OptionalText('The `next_cursor` of the previous page.'),
};

/** The path of a story. */
export const StoryPath = Type.Object({ id: Type.String({ examples: [VISITOR_ID_EXAMPLE] }) });
/** The parameters of a story. */
export const StoryParams = Type.Object({
  site_id: OptionalText('The key’s own site.'),
  ...STORY_PARAMS,
});

/** The most payments, refunds and goals without a visit in a story. The latest are listed. */
export const STORY_FACTS_MAX = 1_000;
/** The most events listed per visit. The first are listed. */
export const STORY_EVENTS_MAX = 200;

const Instant = Type.String({ format: 'date-time' });

/** The credit of a visit or touch, or the credit without a visit. */
export const StoryCredit = Type.Object({
  revenue: Money,
  payments: Type.Number({ description: 'Fractional if the model splits credit.' }),
  conversions: Type.Number(),
});
export type StoryCredit = Static<typeof StoryCredit>;

/** One event. Empty fields are left out. */
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

/** One visit, with its credit. */
const StoryVisit = Type.Object({
  visit_id: Type.String(),
  service_visitor_id: Type.String(),
  started_at: Instant,
  last_event_at: Instant,
  pageviews: Type.Integer(),
  goals: Type.Integer(),
  engagement_seconds: Type.Integer(),
  values: Type.Record(Type.String(), Type.String(), {
    description: 'Values of the `visit:*` dimensions: `source`, `channel`, `entry_page` …',
  }),
  credit: StoryCredit,
  touches: Type.Array(
    Type.Object({
      at: Instant,
      values: Type.Record(Type.String(), Type.String()),
      credit: StoryCredit,
    }),
    {
      description:
        'Where the visitor came from: the visit’s own touch, and each later campaign tag or click id of another source. Their credit adds up to the visit’s.',
    },
  ),
  events: Type.Array(StoryEvent, { description: `The first ${STORY_EVENTS_MAX} of each visit.` }),
});

/** A payment or refund, with its credited touches. */
const StoryPayment = Type.Object({
  type: Type.Enum(['payment', 'refund'] as const),
  transaction_id: Type.String(),
  original_transaction_id: Type.Optional(Type.String()),
  at: Instant,
  amount: Type.Object(Money.properties, { description: 'In the original currency.' }),
  renewal: Type.Boolean(),
  ...optional({
    product: Type.String(),
    customer_id: Type.String(),
    service_visitor_id: Type.String(),
  }),
  credit: Type.Array(
    Type.Object({ visit_id: Type.String(), touched_at: Instant, revenue: Money }),
    {
      description: 'One for each touch, in the site’s currency. Empty if no visit can be credited.',
    },
  ),
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
      visits: Type.Integer({ description: 'All time, like all totals.' }),
      gross_revenue: Money,
      refunds: Money,
      revenue: Money,
      payments: Type.Integer(),
      conversions: Type.Integer(),
    }),
    visits: Type.Array(StoryVisit, { description: 'Latest first.' }),
    unattributed: Type.Object(StoryCredit.properties, {
      description: 'Credit that belongs to no visit.',
    }),
    payments: Type.Array(StoryPayment, { description: 'In the period, latest first.' }),
    goals_of_no_visit: Type.Array(StoryEvent, {
      description:
        'In the period: goals that a server reported while the visitor had no open visit.',
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
    meta: Type.Object({ next_cursor: Type.Optional(Type.String()), ...MONEY_META }),
    query: Type.Object({
      date_range: Type.Tuple([Type.String(), Type.String()]),
      timezone: Type.String(),
      attribution: UnderstoodAttribution,
      limit: Type.Integer(),
    }),
  },
  {
    title: 'Story',
    description: 'E-mail addresses, names and custom parameters require scope `visitors:read`.',
  },
);
export type StoryAnswer = Static<typeof StoryAnswer>;

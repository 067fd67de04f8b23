import Type, { type Static } from 'typebox';
import { optional } from './optional.ts';

/** How many pages, sources and countries an answer about now lists, by default and at most. */
export const LIVE_ROWS = { byDefault: 10, max: 100 } as const;

const Visitors = Type.Object({
  last_5_minutes: Type.Integer(),
  last_30_minutes: Type.Integer(),
});
const Rows = (description: string) =>
  Type.Array(Type.Object({ value: Type.String(), visitors: Visitors }), { description });

/** Who is on the site now. */
export const LiveAnswer = Type.Object(
  {
    now: Type.String({ format: 'date-time', description: 'The end of both windows.' }),
    visitors: Visitors,
    minutes: Type.Array(
      Type.Object({
        starts_at: Type.String({ format: 'date-time' }),
        visitors: Type.Integer({ description: 'Who did something in this minute.' }),
        pageviews: Type.Integer(),
      }),
      { description: 'The last 30 minutes, the earliest first; the last one ends now.' },
    ),
    pages: Rows('By the page where each visitor was last.'),
    sources: Rows('By the source of the visit that each visitor is on.'),
    countries: Rows('By the country of that visit; `(none)` where nobody knows.'),
  },
  { description: 'Each visitor is in one row of each list, by what they did last.' },
);
export type LiveAnswer = Static<typeof LiveAnswer>;

/** Something a visitor did, as `event: event` carries it. Empty texts are left out. */
export const LiveEvent = Type.Object({
  id: Type.String({ description: 'The same each time this is sent.' }),
  type: Type.Enum(['pageview', 'goal', 'outbound', 'download'] as const),
  at: Type.String({ format: 'date-time' }),
  ...optional({
    page: Type.String(),
    title: Type.String(),
    goal: Type.String(),
    source: Type.String({ description: 'Of the event that brought the visitor.' }),
    channel: Type.String(),
    country: Type.String(),
    city: Type.String(),
    device: Type.String(),
    browser: Type.String(),
  }),
});
export type LiveEvent = Static<typeof LiveEvent>;

/** A payment or refund, as `event: payment` carries it, in the currency that it was paid in. */
export const LivePayment = Type.Object({
  id: Type.String({ description: 'The same each time this is sent.' }),
  type: Type.Enum(['payment', 'refund'] as const),
  at: Type.String({ format: 'date-time' }),
  amount: Type.Object({ value: Type.String(), currency: Type.String() }),
  renewal: Type.Boolean(),
  product: Type.Optional(Type.String()),
});
export type LivePayment = Static<typeof LivePayment>;

/** The state of the stream, as `event: status` carries it at the start and at each change. */
export const LiveStatus = Type.Object(
  optional({
    warehouse: Type.Enum(['there', 'away'] as const, {
      description:
        'While it is away nothing is sent. What is accepted meanwhile follows when it is back.',
    }),
    skipped: Type.Integer({
      description: 'How many events were left out because there were too many at once.',
    }),
    gap: Type.Boolean({ description: 'Some events since `Last-Event-ID` are missing.' }),
  }),
);
export type LiveStatus = Static<typeof LiveStatus>;

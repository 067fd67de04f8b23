import Type, { type Static } from 'typebox';
import { optional } from './optional.ts';
import { OptionalText } from './text.ts';

/** Default and maximum number of pages, sources and countries in a live answer. */
export const LIVE_ROWS = { byDefault: 10, max: 100 } as const;

/** The site of a request whose key names it already. */
export const OwnSiteId = OptionalText('Optional; must be the key’s own site.');

/** The parameters of the request for the visitors now. */
export const LiveParams = Type.Object({
  site_id: OwnSiteId,
  limit: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: LIVE_ROWS.max, default: LIVE_ROWS.byDefault },
      description: 'Maximum number of rows in each list.',
    }),
  ),
});

/** The parameters of the request for the stream. */
export const StreamParams = Type.Object({ site_id: OwnSiteId });
/** Its headers. */
export const StreamHeaders = Type.Object({
  'last-event-id': OptionalText('The `id` of the last message received.'),
});

const Visitors = Type.Object({ last_5_minutes: Type.Integer(), last_30_minutes: Type.Integer() });
const Rows = (description: string) =>
  Type.Array(Type.Object({ value: Type.String(), visitors: Visitors }), { description });

/** The visitors on the site now. */
export const LiveAnswer = Type.Object(
  {
    now: Type.String({ format: 'date-time', description: 'The end of both windows.' }),
    visitors: Visitors,
    minutes: Type.Array(
      Type.Object({
        starts_at: Type.String({ format: 'date-time' }),
        visitors: Type.Integer({ description: 'Visitors active in this minute.' }),
        pageviews: Type.Integer(),
      }),
      { description: 'The last 30 minutes, earliest first. The last one ends now.' },
    ),
    pages: Rows("By each visitor's latest page."),
    sources: Rows("By the source of each visitor's current visit."),
    countries: Rows('By the country of that visit; `(none)` if unknown.'),
  },
  { description: 'Each list counts every visitor once, by their latest activity.' },
);
export type LiveAnswer = Static<typeof LiveAnswer>;

/** A visitor's action, in an `event: event` message. Empty fields are left out. */
export const LiveEvent = Type.Object({
  id: Type.String({ description: 'Stays the same when the event is sent again.' }),
  type: Type.Enum(['pageview', 'goal', 'outbound', 'download'] as const),
  at: Type.String({ format: 'date-time' }),
  ...optional({
    page: Type.String(),
    title: Type.String(),
    goal: Type.String(),
    target: Type.String({ description: 'Of an outbound link or a download.' }),
    service_visitor_id: Type.String(),
    source: Type.String({ description: 'Source of the visit.' }),
    channel: Type.String(),
    country: Type.String(),
    city: Type.String(),
    device: Type.String(),
    browser: Type.String(),
  }),
});
export type LiveEvent = Static<typeof LiveEvent>;

/** A payment or refund, in an `event: payment` message, in its original currency. */
export const LivePayment = Type.Object({
  id: Type.String({ description: 'Stays the same when the payment is sent again.' }),
  type: Type.Enum(['payment', 'refund'] as const),
  at: Type.String({ format: 'date-time' }),
  amount: Type.Object({ value: Type.String(), currency: Type.String() }),
  renewal: Type.Boolean(),
  ...optional({
    product: Type.String(),
    transaction_id: Type.String({ description: 'Of a refund, its payment’s.' }),
    service_visitor_id: Type.String(),
    customer_id: Type.String(),
    source: Type.String({ description: 'Source of the visitor’s first visit.' }),
  }),
});
export type LivePayment = Static<typeof LivePayment>;

/** The state of the stream, in an `event: status` message at the start and after each change. */
export const LiveStatus = Type.Object(
  optional({
    warehouse: Type.Enum(['there', 'away'] as const, {
      description:
        'Nothing is sent while the warehouse is `away`. Events accepted meanwhile follow when it is back.',
    }),
    skipped: Type.Integer({
      description: 'Number of events left out because too many arrived at once.',
    }),
    gap: Type.Boolean({ description: 'Events since `Last-Event-ID` are missing.' }),
  }),
);
export type LiveStatus = Static<typeof LiveStatus>;

/** A message of the stream. */
export const LiveMessage = Type.Union([LiveEvent, LivePayment, LiveStatus]);

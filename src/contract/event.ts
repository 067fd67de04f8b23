import Type, { type Static } from 'typebox';
import { optional } from './optional.ts';
import {
  NAME_PATTERN,
  Properties,
  Text,
  UUID_PATTERN,
  UUID_V7_PATTERN,
  VisitorId,
} from './text.ts';

/** How many events one request may carry. */
export const EVENTS_MAX = 500;

/** What an event can be. */
export const EVENT_TYPES = [
  'pageview',
  'goal',
  'identify',
  'outbound',
  'download',
  'scroll',
  'engagement',
  'payment_hint',
] as const;

/** Half of what a request may hold: pages with such addresses are rare, and still pages. */
const ADDRESS_LENGTH_MAX = 32_768;

const INSTANT_MAX_MS = 8_640_000_000_000_000;

/** An event as the tracker, or a server with a key, sends it to `POST /api/v1/events`. */
export const EventRequest = Type.Object(
  {
    site: Text({ minLength: 1, maxLength: 253, description: "The site's domain or id." }),
    type: Type.Enum(EVENT_TYPES),
    ...optional({
      service_visitor_id: VisitorId(),
      url: Text({
        maxLength: ADDRESS_LENGTH_MAX,
        description: 'Address of the page. Required without a key, and of every pageview.',
        examples: ['https://example.com/pricing?utm_source=newsletter'],
      }),
      referrer: Text({ maxLength: ADDRESS_LENGTH_MAX }),
      visit_id: Type.String({
        pattern: UUID_V7_PATTERN,
        description: "UUID of version 7; the visitor's open visit or a new one by default.",
      }),
      sent_at: Type.Number({
        minimum: 0,
        maximum: INSTANT_MAX_MS,
        description:
          "The sender's clock as it sends, in milliseconds since 1970; by default when the newest `event_id` of what is sent with it the first time was made.",
      }),
      title: Type.String({
        description: 'Cut after 255 characters; a NUL and half a character are left out.',
      }),
      screen_width: Type.Integer({ minimum: 0, maximum: 65_535 }),
      language: Text({
        maxLength: 64,
        description: 'By default what the browser prefers.',
        examples: ['de-DE'],
      }),
      timezone: Text({ maxLength: 64, examples: ['Europe/Berlin'] }),
      automation: Type.Boolean({ description: 'Whether the browser shows marks of automation.' }),
      webdriver: Type.Boolean({ description: 'Whether `navigator.webdriver` is set.' }),
      name: Type.String({
        pattern: NAME_PATTERN,
        description: "The goal's name; required of a goal.",
      }),
      metadata: Properties("The goal's custom parameters."),
      user_id: Text({ minLength: 1, maxLength: 255, description: 'Required of identify.' }),
      user_hash: Type.String({
        maxLength: 64,
        description:
          'HMAC-SHA256 of `user_id` under the identity secret of the site, in hexadecimal; required of identify where the site wants it signed.',
      }),
      traits: Properties('What is known of the identified person.'),
      target: Text({
        maxLength: ADDRESS_LENGTH_MAX,
        description: 'Where an outbound or download link leads.',
      }),
      scroll_depth: Type.Number({
        minimum: 0,
        description: 'How far down the page was read, in percent; more than 100 counts as 100.',
      }),
      engagement_ms: Type.Number({
        description:
          'How long the page was visible, in milliseconds; kept between 0 and 24 hours, as clocks jump.',
      }),
      event_id: Type.String({
        pattern: UUID_PATTERN,
        description:
          'With a key: a UUID under which the event counts once, however often it is sent within two days. Without a key: a UUID of version 7, made when the event happened; any other is ignored.',
      }),
      retry: Type.Boolean({
        description:
          'Whether an earlier attempt may have been recorded. With an `event_id`, the event then counts once, however old it is.',
      }),
      occurred_at: Type.Number({
        minimum: 0,
        maximum: INSTANT_MAX_MS,
        description: 'When it happened, in milliseconds since 1970. With a key only.',
      }),
      ip: Text({ maxLength: 45, description: 'An IP address. With a key only.' }),
      user_agent: Text({ maxLength: 2_048, description: 'With a key only.' }),
    }),
  },
  { description: 'Unknown fields are ignored.' },
);
export type EventRequest = Static<typeof EventRequest>;

/** Many events in one request; each gets its own verdict. */
export const EventBatch = Type.Object({
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: EVENTS_MAX }),
});
export type EventBatch = Static<typeof EventBatch>;

/** Why an event is not recorded. */
export const DROP_REASONS = [
  'invalid_event',
  'unknown_site',
  'site_of_another_key',
  'visitor_missing',
  'hostname_not_allowed',
  'occurred_at_out_of_range',
  'identity_conflict',
  'identity_unsigned',
] as const;
/** One of {@link DROP_REASONS}. */
export type DropReason = (typeof DROP_REASONS)[number];

/** The verdict on an event that is not recorded. */
export const DroppedEvent = Type.Object({
  index: Type.Integer({ description: 'Position in the batch, from 0.' }),
  reason: Type.Enum(DROP_REASONS),
  details: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'Every fault of an invalid event.',
    }),
  ),
});
export type DroppedEvent = Static<typeof DroppedEvent>;

/** The answer to a request with events. */
export const EventsAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    accepted: Type.Integer(),
    dropped: Type.Array(DroppedEvent),
    service_visitor_id: Type.Optional(
      Type.String({
        description:
          'The visitor of a cookieless site, for its backend to pass on; after an `identity_conflict` of the last event the id of a new visitor, as whom the browser goes on.',
      }),
    ),
    hint: Type.Optional(
      Type.String({
        description:
          'Without a key, for a developer to read: what to do about events of an unknown site or of a host that is not allowed. The script prints it.',
      }),
    ),
  },
  { description: 'Accepted events are recorded; every other event has its verdict.' },
);
export type EventsAnswer = Static<typeof EventsAnswer>;

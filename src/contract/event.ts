import Type, { type Static } from 'typebox';
import { DROP_REASONS } from '#domain/visit/dropped-events.ts';
import { Fault } from './fault.ts';
import { optional } from './optional.ts';
import { NAME_PATTERN, UUID_PATTERN, UUID_V7_PATTERN } from './patterns.ts';
import { OptionalText, Properties, Text, VisitorId } from './text.ts';

/** The most events of one request. */
export const EVENTS_MAX = 500;

/** All event types. */
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

/** Half of the largest request. Pages with such long URLs are rare, but valid. */
const ADDRESS_LENGTH_MAX = 32_768;

const INSTANT_MAX_MS = 8_640_000_000_000_000;

/** An event that the tracker, or a server with a key, sends to `POST /api/v1/events`. */
export const EventRequest = Type.Object(
  {
    site: Text({ minLength: 1, maxLength: 253, description: "The site's domain or id." }),
    type: Type.Enum(EVENT_TYPES),
    ...optional({
      service_visitor_id: VisitorId(),
      url: Text({
        maxLength: ADDRESS_LENGTH_MAX,
        description: 'URL of the page. Required without a key, and for every pageview.',
        examples: ['https://example.com/pricing?utm_source=newsletter'],
      }),
      referrer: Text({ maxLength: ADDRESS_LENGTH_MAX }),
      cookie_domain: Text({
        maxLength: 253,
        description: "Domain of the visitor's cookie; empty if the page's host alone has it.",
      }),
      visit_id: Type.String({
        pattern: UUID_V7_PATTERN,
        description: "UUID version 7. Default: the visitor's open visit, or else a new visit.",
      }),
      sent_at: Type.Number({
        minimum: 0,
        maximum: INSTANT_MAX_MS,
        description:
          "The sender's clock at the time of sending, in milliseconds since 1970. Default: the creation time of the newest `event_id` among the request's events without `retry`.",
      }),
      title: Type.String({
        description: 'Truncated to 255 characters. NUL and lone surrogates are removed.',
      }),
      screen_width: Type.Integer({ minimum: 0, maximum: 65_535 }),
      language: Text({
        maxLength: 64,
        description: "Default: the browser's preferred language.",
        examples: ['de-DE'],
      }),
      timezone: Text({ maxLength: 64, examples: ['Europe/Berlin'] }),
      automation: Type.Boolean({ description: 'Whether the browser shows signs of automation.' }),
      webdriver: Type.Boolean({ description: 'Whether `navigator.webdriver` is set.' }),
      name: Type.String({
        pattern: NAME_PATTERN,
        description: "The goal's name. Required for a goal.",
      }),
      metadata: Properties("The goal's custom parameters."),
      user_id: Text({ minLength: 1, maxLength: 255, description: 'Required for `identify`.' }),
      user_hash: Type.String({
        maxLength: 64,
        description:
          "HMAC-SHA256 of `user_id` with the site's identity secret as the key, in hexadecimal. Required for `identify` if the site accepts only signed claims.",
      }),
      traits: Properties('Traits of the identified person.'),
      target: Text({
        maxLength: ADDRESS_LENGTH_MAX,
        description: 'Target of an outbound or download link.',
      }),
      scroll_depth: Type.Number({
        minimum: 0,
        description: 'How far the page was scrolled, in percent. Values above 100 count as 100.',
      }),
      engagement_ms: Type.Number({
        description:
          'How long the page was visible, in milliseconds. Clamped to 0 to 24 hours, because clocks jump.',
      }),
      event_id: Type.String({
        pattern: UUID_PATTERN,
        description:
          'With a key: a UUID that deduplicates the event for two days. Without a key: a UUID version 7, created when the event happened; any other value is ignored.',
      }),
      retry: Type.Boolean({
        description:
          'Whether an earlier attempt may have been recorded. With an `event_id`, the event then counts once, even after two days.',
      }),
      occurred_at: Type.Number({
        minimum: 0,
        maximum: INSTANT_MAX_MS,
        description: 'When the event happened, in milliseconds since 1970. Requires a key.',
      }),
      ip: Text({ maxLength: 45, description: "The visitor's IP address. Requires a key." }),
      user_agent: Text({
        maxLength: 2_048,
        description: "The visitor's user agent. Requires a key.",
      }),
    }),
  },
  { title: 'Event', description: 'Unknown fields are ignored.' },
);
export type EventRequest = Static<typeof EventRequest>;

/** The body of a request with events: one of them, or a batch. */
export const EventsRequest = Type.Union([
  EventRequest,
  Type.Object({ events: Type.Array(EventRequest, { minItems: 1, maxItems: EVENTS_MAX }) }),
]);

/** Several events in one request. Each is accepted or dropped on its own. */
export const EventBatch = Type.Object({
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: EVENTS_MAX }),
});

/** The verdict on a dropped event. */
export const DroppedEvent = Type.Object({
  index: Type.Integer({ description: 'Position in the batch, from 0.' }),
  reason: Type.Enum(DROP_REASONS),
  details: Type.Optional(
    Type.Array(Fault, { description: 'The first faults of an invalid event.' }),
  ),
});
export type DroppedEvent = Static<typeof DroppedEvent>;

/** The answer to a request with events. */
export const EventsAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    accepted: Type.Integer(),
    dropped: Type.Array(DroppedEvent),
    service_visitor_id: OptionalText(
      "On a cookieless site: the visitor's id, for the site's backend. After an `identity_conflict` of the last event: the id of a new visitor, which the browser uses from now on.",
    ),
    hint: OptionalText(
      'Without a key: advice for developers when the site is unknown or the host is not allowed. The script prints it to the console.',
    ),
  },
  { description: 'Accepted events are recorded. `dropped` lists all others with their reasons.' },
);
export type EventsAnswer = Static<typeof EventsAnswer>;

import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import { type DroppedEvent, EventBatch, EventsAnswer, EventsRequest } from '#contract/event.ts';
import type { AcceptEvents, AcceptedVisitor } from '#ingest/events/accept-events.ts';
import type { Sender } from '#ingest/events/event-draft.ts';
import type { OwnVisitsLinks } from '#ingest/own-visits.ts';
import type { ProxyWatch } from '#server/connections/proxy-watch.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import { SCRIPT_PATH } from '#server/files/neutral-paths.ts';
import { BATCH_MAX_BYTES, parseBody } from '#server/requests/body.ts';
import type { Server } from '#server/server-type.ts';
import { withForwarding } from './forwarded.ts';
import { toHint } from './to-hint.ts';
import { toVisitorCookie } from './visitor-cookie.ts';
import {
  addWriteRoute,
  allowAnyOrigin,
  type Write,
  type WriteAccess,
  type WriteAnswer,
  type WriteEndpoint,
} from './write-endpoint.ts';

const URL_PATH = '/api/v1/events';
const ONE_ACCEPTED = '{"status":"success","accepted":1,"dropped":[]}';
const batchChecker = createChecker(EventBatch);

type EventDeps = {
  readonly acceptEvents: AcceptEvents;
  readonly proxies: Pick<ProxyWatch, 'note'>;
  readonly ownVisits: Pick<OwnVisitsLinks, 'follow'>;
};

/**
 * `POST /api/v1/events`: receives events from browsers on any site, and from servers with a key.
 *
 * The script sends events to the URL it was loaded from, so that path accepts them too.
 */
export function addEventRoutes(server: Server, deps: WriteAccess & EventDeps): WriteEndpoint[] {
  const plain: WriteEndpoint = {
    path: URL_PATH,
    scope: 'events:write',
    isForBrowsers: true,
    bodyMaxBytes: BATCH_MAX_BYTES,
    answer: withForwarding(deps.keys, createAnswerEvents(deps)),
  };
  const endpoint = addWriteRoute(server, deps, plain, {
    operationId: 'createEvents',
    summary: 'Record events',
    description:
      'Accepts one event or a batch, as `application/json` or `text/plain`. Each event is accepted or dropped on its own.',
    tags: ['events'],
    security: [{}, { key: ['events:write'] }],
    body: EventsRequest,
    response: { 200: EventsAnswer, ...bodyErrors() },
  });

  const ofScript = { ...endpoint, path: SCRIPT_PATH };
  addWriteRoute(server, deps, ofScript, { hide: true });
  addPreflight(server, URL_PATH);
  addPreflight(server, SCRIPT_PATH);
  return [endpoint, ofScript];
}

/** Answers the preflight that browsers send before a cross-origin request with JSON. */
function addPreflight(server: Server, url: string): void {
  server.route({
    method: 'OPTIONS',
    url,
    onRequest: allowAnyOrigin,
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '86400',
        })
        .code(204)
        .send(),
  });
}

/** An invalid event must not affect its neighbours, so the use case validates events, not the route. */
function createAnswerEvents(deps: EventDeps): WriteEndpoint['answer'] {
  const { acceptEvents, ownVisits, proxies } = deps;
  return async (write): Promise<WriteAnswer> => {
    const { body, headers, ip, apiKey } = write;
    const events = toEvents(body);
    const sender = { ...readClientHeaders(headers), address: ip, trustedSiteId: apiKey?.siteId };
    const { accepted, dropped, visitor } = await acceptEvents({ events, sender });
    if (!write.isForwarded) proxies.note(write, visitor?.visitorId);
    const hint = apiKey === null ? toHint(events, dropped) : undefined;
    const verdicts = { status: 'success', accepted, dropped, hint };
    const id =
      followOwn(ownVisits, write, events, dropped) ?? toNamed(write, events, dropped, visitor);
    if (id !== undefined) return { text: JSON.stringify({ ...verdicts, service_visitor_id: id }) };
    const isOne = accepted === 1 && dropped.length === 0;
    const text = isOne ? ONE_ACCEPTED : JSON.stringify(verdicts);
    const cookie = visitor && toVisitorCookie(visitor, write);
    return cookie === undefined ? { text } : { text, headers: { 'set-cookie': cookie } };
  };
}

/**
 * The visitor id to return to the page, if any: the server's own id on a cookieless site, or a new one
 * after an identity conflict.
 *
 * - Why not for a page that names its visit: it keeps its own ids, whatever its site has configured.
 * - Why the last identify counts, and only that of the last event's visitor: those before may have waited, and say
 *   nothing about who is there now.
 */
function toNamed(
  { apiKey }: Pick<Write, 'apiKey'>,
  events: readonly unknown[],
  dropped: readonly DroppedEvent[],
  visitor: AcceptedVisitor | undefined,
): string | undefined {
  if (visitor === undefined || (apiKey !== null && !visitor.isCookieless)) return undefined;
  if (visitor.isCookieless)
    return fieldsOf(events.at(-1)).visit_id === undefined ? visitor.visitorId : undefined;
  const { service_visitor_id: now } = fieldsOf(events.at(-1));
  const last = events.findLastIndex((event) => fieldsOf(event).type === 'identify');
  const isOfNow = fieldsOf(events[last]).service_visitor_id === now;
  const verdict = dropped.find(({ index }) => index === last)?.reason;
  return isOfNow && verdict === 'identity_conflict' ? randomUUID() : undefined;
}

/** The id of a browser that its user leaves out of the figures, or counts again, by a link to the last event's page. */
function followOwn(
  ownVisits: EventDeps['ownVisits'],
  { apiKey }: Pick<Write, 'apiKey'>,
  events: readonly unknown[],
  dropped: readonly DroppedEvent[],
): string | undefined {
  const verdict = dropped.find(({ index }) => index === events.length - 1)?.reason;
  const isOfSite = verdict === undefined || verdict === 'excluded';
  return apiKey === null && isOfSite ? ownVisits.follow(fieldsOf(events.at(-1))) : undefined;
}

function fieldsOf(event: unknown): Readonly<Record<string, unknown>> {
  return (event ?? {}) as Readonly<Record<string, unknown>>;
}

function isBatch(body: unknown): body is { readonly events: unknown } {
  return typeof body === 'object' && body !== null && 'events' in body;
}

function toEvents(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuseFaults([{ path: '', message: 'must be an object' }]);
  }
  if (!isBatch(body)) return [body];
  return parseBody(batchChecker, body).events;
}

/** Longer than any real browser's hints; the rest is ignored. */
const HINT_LENGTH_MAX = 256;

/** The user agent and client hints of a request. */
function readClientHeaders(
  headers: IncomingHttpHeaders,
): Omit<Sender, 'address' | 'trustedSiteId'> {
  const { 'user-agent': userAgent, 'accept-language': language } = headers;
  const isPrivate = headers['sec-gpc'] === '1'; // Source: W3C, Global Privacy Control.
  const read = (name: string) => String(headers[name] ?? '').slice(0, HINT_LENGTH_MAX);
  const hints = {
    brands: read('sec-ch-ua'),
    mobile: read('sec-ch-ua-mobile'),
    platform: read('sec-ch-ua-platform'),
    platformVersion: read('sec-ch-ua-platform-version'),
  };
  const hasHints = hints.brands !== '' || hints.platform !== '' || hints.mobile !== '';
  return { userAgent, language, isPrivate, ...(hasHints && { hints }) };
}

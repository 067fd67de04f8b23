import type { EventRow } from '#contract/rows/event-row.ts';
import { maskPath } from '#domain/site/mask-path.ts';
import { maskSecrets } from '#domain/site/mask-secrets.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { NewId } from '../new-uuid.ts';
import { removeMarkupOf } from '../remove-markup.ts';
import type { EventDraft } from './event-draft.ts';

/** Longest stored path. Paths are ASCII, because other characters are percent-encoded. */
const PATH_LENGTH_MAX = 2_048;
/** Longest stored title, in code points. */
const TITLE_LENGTH_MAX = 255;
/** Characters that stores do not return unchanged: NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/gu;
/** A language tag (BCP 47). Anything else is not stored. */
const LANGUAGE = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

/**
 * The row of a draft that passed all steps. Empty values become the column's default.
 *
 * Why every column is listed: V8 creates and serializes objects of one shape three times as fast.
 */
export function toRow(draft: EventDraft, newId: NewId): EventRow {
  const { event, address, acquisition, client, place } = draft;
  const isInVisit = draft.visitId !== '';
  const properties = event.type === 'identify' ? event.traits : event.metadata;
  return {
    site_id: draft.site.id,
    occurred_at: draft.occurredAt,
    accepted_at: draft.receivedAt,
    event_id: event.event_id?.toLowerCase() ?? newId(draft.occurredAt),
    type: event.type,
    visitor_id: draft.visitorId,
    visit_id: isInVisit ? draft.visitId : undefined,
    visit_started_at: isInVisit ? draft.visitStartedAt : undefined,
    extends_visit: draft.extendsVisit ? 1 : 0,
    name: unlessEmpty(event.name),
    props: properties && removeMarkupOf(properties),
    hostname: address?.hostname,
    path: address && toPath(address, draft.site.settings?.maskPaths),
    title: unlessEmpty(event.title && toTitle(event.title)),
    referrer: unlessEmpty(acquisition?.referrer),
    source: unlessEmpty(acquisition?.source),
    medium: unlessEmpty(acquisition?.medium),
    campaign: unlessEmpty(acquisition?.campaign),
    channel: unlessEmpty(acquisition?.channel),
    country: unlessEmpty(place.country),
    region: unlessEmpty(place.region),
    city: unlessEmpty(place.city),
    browser: unlessEmpty(client?.browser),
    browser_version: unlessEmpty(client?.browserVersion),
    os: unlessEmpty(client?.os),
    os_version: unlessEmpty(client?.osVersion),
    device: unlessEmpty(client?.device),
    language: toLanguage(event.language ?? findLanguage(draft.sender)),
    timezone: unlessEmpty(event.timezone),
    screen_width: unlessEmpty(event.screen_width),
    term: unlessEmpty(acquisition?.term),
    content: unlessEmpty(acquisition?.content),
    click_id: unlessEmpty(acquisition?.clickId),
    click_id_value: unlessEmpty(acquisition?.clickIdValue),
    target: unlessEmpty(event.target && maskSecrets(event.target)),
    bot_class: unlessEmpty(draft.botClass),
    bot_reason: unlessEmpty(draft.botReason),
    engagement_ms: unlessEmpty(within(event.engagement_ms, DAY_MS)),
    scroll_depth: unlessEmpty(within(event.scroll_depth, 100)),
    user_id: unlessEmpty(event.user_id),
  };
}

/**
 * The path without secrets. Includes the fragment if it names the page (hash routing): `/#/settings`,
 * `/#!/settings`, but not that page's query.
 */
function toPath({ pathname, hash }: URL, patterns: readonly string[] | undefined): string {
  const page = hash === '' ? '' : (/^#!?\/[^?#]*/.exec(hash)?.[0] ?? '');
  return maskPath((pathname + page).slice(0, PATH_LENGTH_MAX), patterns);
}

/** The browser's preferred language. */
function findLanguage({ language, trustedSiteId }: EventDraft['sender']): string | undefined {
  if (language === undefined || trustedSiteId !== undefined) return undefined;
  return /^[A-Za-z0-9-]{1,35}/.exec(language)?.[0];
}

function toLanguage(tag: string | undefined): string | undefined {
  return tag !== undefined && LANGUAGE.test(tag) ? tag : undefined;
}

function within(value: number | undefined, max: number): number {
  return value === undefined ? 0 : Math.round(Math.min(Math.max(value, 0), max));
}

function unlessEmpty<Value extends string | number>(value: Value | undefined): Value | undefined {
  return value || undefined;
}

/** Some pages truncate their titles within a character. That must not cost a pageview. */
function toTitle(title: string): string {
  const isPlain = title.isWellFormed() && !title.includes('\0');
  const plain = isPlain ? title : title.replaceAll(UNSTORABLE, '');
  if (plain.length <= TITLE_LENGTH_MAX) return plain;
  return [...plain.slice(0, 2 * TITLE_LENGTH_MAX)].slice(0, TITLE_LENGTH_MAX).join('');
}

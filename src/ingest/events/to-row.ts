import type { EventRow } from '#warehouse/event-row.ts';
import type { NewId } from '../new-uuid.ts';
import { removeMarkupOf } from '../remove-markup-of.ts';
import type { EventDraft } from './event-draft.ts';

/** Longest path that is kept; it has ASCII letters only, as other scripts are percent-encoded. */
const PATH_LENGTH_MAX = 2_048;
/** Longest title that is kept, in code points. */
const TITLE_LENGTH_MAX = 255;
/** No page is visible for longer at a time; clocks that are set meanwhile say so. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** A language tag (BCP 47); what is none is not kept. */
const LANGUAGE = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** The row of a draft that every step has passed. What is empty is left to the column's default. */
export function toRow(draft: EventDraft, newId: NewId): EventRow {
  const { event, address, acquisition, client, place } = draft;
  const row: Writable<EventRow> = {
    site_id: draft.site.id,
    occurred_at: draft.occurredAt,
    accepted_at: draft.receivedAt,
    event_id: event.event_id?.toLowerCase() ?? newId(draft.occurredAt),
    type: event.type,
    visitor_id: draft.visitorId,
    extends_visit: draft.extendsVisit ? 1 : 0,
  };
  if (draft.visitId !== '') {
    row.visit_id = draft.visitId;
    row.visit_started_at = draft.visitStartedAt;
  }
  if (address !== undefined) {
    row.hostname = address.hostname;
    row.path = toPath(address).slice(0, PATH_LENGTH_MAX);
  }
  if (acquisition !== undefined) {
    putText(row, 'source', acquisition.source);
    putText(row, 'medium', acquisition.medium);
    putText(row, 'campaign', acquisition.campaign);
    putText(row, 'channel', acquisition.channel);
    putText(row, 'term', acquisition.term);
    putText(row, 'content', acquisition.content);
    putText(row, 'click_id', acquisition.clickId);
    putText(row, 'click_id_value', acquisition.clickIdValue);
    putText(row, 'referrer', acquisition.referrer);
  }
  if (client !== undefined) {
    putText(row, 'browser', client.browser);
    putText(row, 'browser_version', client.browserVersion);
    putText(row, 'os', client.os);
    putText(row, 'os_version', client.osVersion);
    putText(row, 'device', client.device);
  }
  putText(row, 'country', place.country);
  putText(row, 'region', place.region);
  putText(row, 'city', place.city);
  putText(row, 'bot_class', draft.botClass);
  putText(row, 'bot_reason', draft.botReason);
  putText(row, 'name', event.name);
  putText(row, 'title', event.title && cut(event.title));
  putText(row, 'target', event.target);
  const language = event.language ?? findLanguage(draft.sender);
  if (language !== undefined && LANGUAGE.test(language)) row.language = language;
  putText(row, 'timezone', event.timezone);
  putText(row, 'user_id', event.user_id);
  if (event.screen_width) row.screen_width = event.screen_width;
  if (event.engagement_ms) row.engagement_ms = within(event.engagement_ms, DAY_MS);
  if (event.scroll_depth) row.scroll_depth = within(event.scroll_depth, 100);
  const properties = event.type === 'identify' ? event.traits : event.metadata;
  if (properties !== undefined) row.props = removeMarkupOf(properties);
  return row;
}

/** With the fragment where that names the page (hash routing): `/#/settings`, `/#!/settings`. */
function toPath({ pathname, hash }: URL): string {
  return hash.startsWith('#/') || hash.startsWith('#!/') ? pathname + hash : pathname;
}

/** The first of the languages that a browser prefers. */
function findLanguage({ language, trustedSiteId }: EventDraft['sender']): string | undefined {
  if (language === undefined || trustedSiteId !== undefined) return undefined;
  return /^[A-Za-z0-9-]{1,35}/.exec(language)?.[0];
}

function within(value: number, max: number): number {
  return Math.round(Math.min(Math.max(value, 0), max));
}

type Writable<Row> = { -readonly [Column in keyof Row]: Row[Column] };

type TextColumn = {
  [Column in keyof EventRow]-?: string extends EventRow[Column] ? Column : never;
}[keyof EventRow];

function putText(row: Writable<EventRow>, column: TextColumn, text: string | undefined): void {
  if (text) row[column] = text;
}

function cut(title: string): string {
  return title.length <= TITLE_LENGTH_MAX ? title : [...title].slice(0, TITLE_LENGTH_MAX).join('');
}

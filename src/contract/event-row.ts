import type { EVENT_TYPES } from './event.ts';

/**
 * The columns that the write path fills, in the order in which a line (event-lines.ts) gives their values.
 *
 * - Shape: what every event has stands first, so that a backend's goal is a short line.
 * - Never move or take one out, only add at the end: journals and archives are read by places.
 */
export const EVENT_COLUMNS = [
  'batch_id',
  'site_id',
  'occurred_at',
  'accepted_at',
  'event_id',
  'type',
  'visitor_id',
  'visit_id', // None when the event belongs to no visit (a server's goal long after the last page).
  'visit_started_at',
  'extends_visit', // 0 for what must not prolong its visit: a goal that a server reports.
  'name', // The goal's.
  'props',
  'hostname',
  'path',
  'title',
  'referrer', // As sent.
  'source',
  'medium',
  'campaign',
  'channel', // The default one (docs/tracking.md); empty where nothing says how the visitor came.
  'country',
  'region',
  'city',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'language',
  'timezone',
  'screen_width',
  'term',
  'content',
  'click_id', // Name of the click id's parameter (`gclid`).
  'click_id_value',
  'target', // Where an outbound or download link leads.
  'bot_class', // Empty for people.
  'bot_reason',
  'engagement_ms',
  'scroll_depth',
  'user_id',
] as const;

/** A column of {@link EVENT_COLUMNS}. */
export type EventColumn = (typeof EVENT_COLUMNS)[number];

/** What happened; the contract (src/contract/event.ts) says what each carries. */
export type EventType = (typeof EVENT_TYPES)[number];

type RequiredFields = {
  readonly site_id: string;
  readonly occurred_at: number;
  readonly accepted_at: number;
  readonly event_id: string;
  readonly type: EventType;
  readonly visitor_id: string;
};
type OtherThanTexts = {
  readonly visit_started_at?: number | undefined;
  readonly extends_visit?: 0 | 1 | undefined;
  readonly props?: Readonly<Record<string, string>> | undefined;
  readonly screen_width?: number | undefined;
  readonly engagement_ms?: number | undefined;
  readonly scroll_depth?: number | undefined;
};
type TextColumn = Exclude<EventColumn, 'batch_id' | keyof RequiredFields | keyof OtherThanTexts>;

/**
 * One row of the warehouse's `events` table, as the write path makes it.
 *
 * - Units: instants are milliseconds since 1970 in UTC.
 * - Shape: a field left out takes the column's default (empty text, zero).
 */
export type EventRow = RequiredFields &
  OtherThanTexts & { readonly [Column in TextColumn]?: string | undefined };

import type { Proof } from '#domain/identity/identity.ts';
import type { EVENT_TYPES } from '../event.ts';

/**
 * The columns that the write path fills, in the order of their values in a line (event-lines.ts).
 *
 * - Shape: columns that every event has come first, so that a goal from a backend is a short line.
 * - Append only. Never move or remove a column: journals and archives are read by position.
 */
export const EVENT_COLUMNS = [
  'batch_id',
  'site_id',
  'occurred_at',
  'accepted_at',
  'event_id',
  'type',
  'visitor_id',
  'visit_id', // Empty for an event outside a visit (a server's goal long after the last page).
  'visit_started_at',
  'extends_visit', // 0 for an event that must not prolong its visit: a server's goal.
  'name', // Goal name.
  'props',
  'hostname',
  'path',
  'title',
  'referrer', // As sent.
  'source',
  'medium',
  'campaign',
  'channel', // The default channel (docs/tracking.md); empty without acquisition data.
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
  'click_id', // Parameter name of the click id (`gclid`).
  'click_id_value',
  'target', // Target of an outbound or download link.
  'bot_class', // Empty if not a bot.
  'bot_reason',
  'engagement_ms',
  'scroll_depth',
  'user_id',
] as const;

type EventColumn = (typeof EVENT_COLUMNS)[number];

type EventType = (typeof EVENT_TYPES)[number];

type RequiredFields = {
  readonly site_id: string;
  readonly occurred_at: number;
  readonly accepted_at: number;
  readonly event_id: string;
  readonly type: EventType;
  readonly visitor_id: string;
};
type NonTextFields = {
  readonly visit_started_at?: number | undefined;
  readonly extends_visit?: 0 | 1 | undefined;
  readonly props?: Readonly<Record<string, string>> | undefined;
  readonly screen_width?: number | undefined;
  readonly engagement_ms?: number | undefined;
  readonly scroll_depth?: number | undefined;
};
type TextColumn = Exclude<EventColumn, 'batch_id' | keyof RequiredFields | keyof NonTextFields>;

/**
 * One row of the warehouse's `events` table, as written by the write path.
 *
 * - Units: instants are milliseconds since 1970 in UTC.
 * - Shape: a missing field takes the column's default (empty text, zero).
 */
export type EventRow = RequiredFields &
  NonTextFields & { readonly [Column in TextColumn]?: string | undefined };

/** An event to record, and the id that deduplicates it, if any. */
export type KeptEvent = {
  readonly row: EventRow;
  readonly onceId?: string | undefined;
  /** The proof behind an identify. Default: `key`. */
  readonly proof?: Proof | undefined;
};

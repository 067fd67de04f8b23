/**
 * One row of the warehouse's `events` table, as the write path makes it.
 *
 * - Units: instants are milliseconds since 1970 in UTC.
 * - Shape: a field left out takes the column's default (empty text, zero); the columns stand in
 *   src/warehouse/tables/events.ts.
 */
export type EventRow = {
  readonly site_id: string;
  readonly occurred_at: number;
  readonly accepted_at: number;
  readonly event_id: string;
  readonly type: EventType;
  readonly visitor_id: string;
  /** Left out when the event belongs to no visit (a server's goal long after the last page). */
  readonly visit_id?: string | undefined;
  readonly visit_started_at?: number | undefined;
  /** 0 for what must not prolong its visit: a goal that a server reports. */
  readonly extends_visit?: 0 | 1 | undefined;
  /** The goal's name. */
  readonly name?: string | undefined;
  readonly hostname?: string | undefined;
  readonly path?: string | undefined;
  readonly title?: string | undefined;
  /** The referrer as sent; for outbound and download events `target` holds where it went. */
  readonly referrer?: string | undefined;
  readonly target?: string | undefined;
  readonly source?: string | undefined;
  readonly medium?: string | undefined;
  readonly campaign?: string | undefined;
  readonly term?: string | undefined;
  readonly content?: string | undefined;
  /** Name of the click id's parameter (`gclid`), and its value. */
  readonly click_id?: string | undefined;
  readonly click_id_value?: string | undefined;
  /** The default channel (docs/tracking.md); empty where nothing says how the visitor came. */
  readonly channel?: string | undefined;
  readonly props?: Readonly<Record<string, string>> | undefined;
  /** Empty for people; else the class of bot, with the reason. */
  readonly bot_class?: string | undefined;
  readonly bot_reason?: string | undefined;
  readonly country?: string | undefined;
  readonly region?: string | undefined;
  readonly city?: string | undefined;
  readonly browser?: string | undefined;
  readonly browser_version?: string | undefined;
  readonly os?: string | undefined;
  readonly os_version?: string | undefined;
  readonly device?: string | undefined;
  readonly language?: string | undefined;
  readonly timezone?: string | undefined;
  readonly screen_width?: number | undefined;
  readonly engagement_ms?: number | undefined;
  readonly scroll_depth?: number | undefined;
  readonly user_id?: string | undefined;
};

/** What happened; the contract (src/contract/event.ts) says what each carries. */
export type EventType =
  | 'pageview'
  | 'goal'
  | 'identify'
  | 'outbound'
  | 'download'
  | 'scroll'
  | 'engagement'
  | 'payment_hint';

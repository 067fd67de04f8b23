/**
 * One row of the warehouse's `events` table, as the write path makes it.
 *
 * - Units: instants are milliseconds since 1970 in UTC.
 * - Shape: a field left out takes the column's default (empty text, zero); the columns stand in
 *   schema.ts.
 */
export type EventRow = {
  readonly site_id: string;
  readonly occurred_at: number;
  readonly accepted_at: number;
  readonly event_id: string;
  readonly type: EventType;
  readonly visitor_id: string;
  /** Left out when the event belongs to no visit (a server's goal long after the last page). */
  readonly visit_id?: string;
  readonly visit_started_at?: number;
  /** 0 for what must not prolong its visit: a goal that a server reports. */
  readonly extends_visit?: 0 | 1;
  /** The goal's name. */
  readonly name?: string;
  readonly hostname?: string;
  readonly path?: string;
  readonly title?: string;
  /** The referrer as sent; for outbound and download events `target` holds where it went. */
  readonly referrer?: string;
  readonly target?: string;
  readonly source?: string;
  readonly medium?: string;
  readonly campaign?: string;
  readonly term?: string;
  readonly content?: string;
  /** Name of the click id's parameter (`gclid`), and its value. */
  readonly click_id?: string;
  readonly click_id_value?: string;
  /** The default channel (docs/channels.md); empty where nothing says how the visitor came. */
  readonly channel?: string;
  readonly props?: Readonly<Record<string, string>>;
  /** Empty for people; else the class of bot, with the reason. */
  readonly bot_class?: string;
  readonly bot_reason?: string;
  readonly country?: string;
  readonly region?: string;
  readonly city?: string;
  readonly browser?: string;
  readonly browser_version?: string;
  readonly os?: string;
  readonly os_version?: string;
  readonly device?: string;
  readonly language?: string;
  readonly timezone?: string;
  readonly screen_width?: number;
  readonly engagement_ms?: number;
  readonly scroll_depth?: number;
  readonly user_id?: string;
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

/** Columns from a visit's first event with acquisition data. */
export const OF_TOUCH = [
  ...(['channel', 'source', 'medium', 'campaign', 'term', 'content', 'click_id'] as const),
  'referrer',
] as const;

/** Columns from its first pageview, or else from its first event. */
export const OF_ENTRY = [
  ...([
    'entry_page',
    'hostname',
    'country',
    'region',
    'city',
    'browser',
    'browser_version',
  ] as const),
  ...([
    'os',
    'os_version',
    'device',
    'language',
    'screen_width',
    'bot_class',
    'bot_reason',
  ] as const),
] as const;

type First = (typeof OF_TOUCH)[number] | (typeof OF_ENTRY)[number];

/** Number of digits of the event's instant before a value in the warehouse. */
const INSTANT_DIGITS = 8;

/** SQL for a value without the instant before it. */
function withoutInstant(column: string): string {
  return `substring(${column}, ${INSTANT_DIGITS + 1})`;
}

/**
 * SQL for the values of a visit, over a row of the warehouse's `visits`.
 *
 * Why these are not ALIAS columns: the engine resolves all aliases of a table for each statement that
 * reads it. That took 5 to 13 ms, which is more than many queries take in total.
 */
export const VISIT = {
  ...(Object.fromEntries(
    [...OF_TOUCH, ...OF_ENTRY].map((name) => [name, withoutInstant(`first_${name}`)]),
  ) as Readonly<Record<First, string>>),
  exit_page: withoutInstant('last_exit_page'),
  /** Time of the touch, in milliseconds: the visit's start, or its first event if that is earlier. */
  touchedAt: '(toUnixTimestamp64Milli(visit_started_at) + least(first_after_ms, 0))',
  /** Time of its last event, in milliseconds. */
  endedAt: '(toUnixTimestamp64Milli(visit_started_at) + greatest(last_after_ms, first_after_ms))',
  /** Time of its last event that extends the visit, in milliseconds. */
  extendedUntil: '(toUnixTimestamp64Milli(visit_started_at) + last_after_ms)',
  durationMs: 'greatest(last_after_ms - first_after_ms, 0)',
} as const;

/** What a visit takes from its first event that has a source. */
export const OF_TOUCH = [
  ...(['channel', 'source', 'medium', 'campaign', 'term', 'content', 'click_id'] as const),
  'referrer',
] as const;

/** What it takes from its first pageview, or from its first event if it has no pageview. */
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

/** How many digits of its event's instant precede a value in the warehouse. */
const INSTANT_DIGITS = 8;

/** SQL of a value without the instant that precedes it. */
function withoutInstant(column: string): string {
  return `substring(${column}, ${INSTANT_DIGITS + 1})`;
}

/**
 * SQL of what a visit is described by, over a row of the warehouse's `visits`.
 *
 * Why these are not ALIAS columns of the table: the engine resolves every alias of a table for each
 * statement that reads it, which took 5 to 13 ms each time, more than many a query needs in all.
 */
export const VISIT = {
  ...(Object.fromEntries(
    [...OF_TOUCH, ...OF_ENTRY].map((name) => [name, withoutInstant(`first_${name}`)]),
  ) as Readonly<Record<First, string>>),
  exit_page: withoutInstant('last_exit_page'),
  /** When it became a touch, in milliseconds: its first event counts if it precedes the visit's start. */
  touchedAt: '(toUnixTimestamp64Milli(visit_started_at) + least(first_after_ms, 0))',
  /** The instant of its last event, in milliseconds. */
  endedAt: '(toUnixTimestamp64Milli(visit_started_at) + greatest(last_after_ms, first_after_ms))',
  /** The instant of its last event that extends the visit, in milliseconds. */
  extendedUntil: '(toUnixTimestamp64Milli(visit_started_at) + last_after_ms)',
  durationMs: 'greatest(last_after_ms - first_after_ms, 0)',
} as const;

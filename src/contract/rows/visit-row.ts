/** The visit id of events outside a visit. */
export const NO_VISIT_ID = '00000000-0000-0000-0000-000000000000';

/** SQL for it. */
export const NO_VISIT = `toUUID('${NO_VISIT_ID}')`;

/** Columns from a visit's first event with acquisition data. */
export const OF_TOUCH = [
  ...(['channel', 'source', 'medium', 'campaign', 'click_id', 'term', 'content'] as const),
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
/** Half the range of instants: six days before and after the visit's start. Instants outside are clamped. */
export const HALF_MS = 2 ** 29;
/** Added to the instants of events with acquisition data, pageviews and arrivals: others sort behind them. */
export const FIRST_RANK = 2 * HALF_MS;
/** SQL for a separator that no value contains, because the write path removes control characters. */
export const MARK = String.raw`'\x1F'`;

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

/**
 * SQL for rows of `visits` (a FROM clause), and one more for each further touch of a visit: an arrival whose source,
 * medium, campaign or click id differs from the touch before. It has the visit's other values, and begins when it
 * arrived.
 *
 * - Shape: `read` is SQL for what is read of the rows. `arrival` is below '0' for a visit's own touch.
 * - Why only what is read: planning each expression takes the engine longer than computing it.
 */
export function withFurtherTouches(visits: string, read: string): string {
  const own = `concatWithSeparator(${MARK}, '', '', ${VISIT.source}, ${VISIT.medium}, ${VISIT.campaign}, ${VISIT.click_id})`;
  // Behind the instant and the channel, as in OF_TOUCH.
  const touches = `arrayCompact(text -> arraySlice(splitByChar(${MARK}, text), 3, 4), arrayPushFront(arraySort(arrivals), ${own}))`;
  const part = (index: number) => `splitByChar(${MARK}, arrival)[${index}]`;
  const afterMs = `reinterpretAsUInt32(reverse(unhex(${part(1)}))) - ${FIRST_RANK + HALF_MS}`;
  const values = OF_TOUCH.map((name, index) => [
    `first_${name}`,
    `concat(${part(1)}, ${part(index + 2)})`,
  ]);
  const replaced = [
    ['visit_started_at', `addMilliseconds(visit_started_at, ${afterMs})`],
    ['first_after_ms', '0'],
    ...values.filter(([column = '']) => read.includes(column)),
  ].map(([column, sql]) => `if(arrival < '0', ${column}, ${sql}) AS ${column}`);
  return `
    SELECT * REPLACE (${replaced.join(', ')})
    FROM (
      SELECT *, arrayJoin(if(empty(arrivals), [''], ${touches})) AS arrival
      FROM ${visits}
    )`;
}

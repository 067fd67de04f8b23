import type { EventRow } from './event-row.ts';

/**
 * The columns in the order in which a line gives their values. What a line leaves out at its end,
 * and what is `null`, takes the column's default.
 *
 * - Shape: what every event has stands first, so that a backend's goal is a short line.
 * - Why places instead of names: the engine reads such a line in two thirds of the time.
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
  'visit_id',
  'visit_started_at',
  'extends_visit',
  'name',
  'props',
  'hostname',
  'path',
  'title',
  'referrer',
  'source',
  'medium',
  'campaign',
  'channel',
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
  'click_id',
  'click_id_value',
  'target',
  'bot_class',
  'bot_reason',
  'engagement_ms',
  'scroll_depth',
  'user_id',
] as const satisfies readonly ('batch_id' | keyof EventRow)[];

/** What stands in front of each line's tail, once its batch is known. */
export function toLineOpening(batchId: bigint | number | string): string {
  return `["${batchId}",`;
}

/**
 * The row as one line for the warehouse, without its opening.
 *
 * Why instants stay whole milliseconds: the engine reads a DateTime64(3) from a bare number so.
 */
export function toLineTail(row: EventRow): string {
  const values = toValues(row);
  let length = values.length;
  while (values[length - 1] === undefined) length -= 1;
  values.length = length;
  return `${JSON.stringify(values).slice(1)}\n`;
}

/** Written out, as a loop over the columns would take three times as long. */
function toValues(row: EventRow): unknown[] {
  return [
    row.site_id,
    row.occurred_at,
    row.accepted_at,
    row.event_id,
    row.type,
    row.visitor_id,
    row.visit_id,
    row.visit_started_at,
    row.extends_visit,
    row.name,
    row.props,
    row.hostname,
    row.path,
    row.title,
    row.referrer,
    row.source,
    row.medium,
    row.campaign,
    row.channel,
    row.country,
    row.region,
    row.city,
    row.browser,
    row.browser_version,
    row.os,
    row.os_version,
    row.device,
    row.language,
    row.timezone,
    row.screen_width,
    row.term,
    row.content,
    row.click_id,
    row.click_id_value,
    row.target,
    row.bot_class,
    row.bot_reason,
    row.engagement_ms,
    row.scroll_depth,
    row.user_id,
  ];
}

/** A line as it was read back: the row with its batch, without what took a default. */
export type EventLine = Partial<EventRow> & { readonly batch_id: string };

/** Reads a line with its opening. Throws SyntaxError when it is none. */
export function readEventLine(line: string): EventLine {
  const values = JSON.parse(line) as unknown[];
  const named = values.map((value, place) => [EVENT_COLUMNS[place], value]);
  return Object.fromEntries(named.filter(([, value]) => value !== null)) as EventLine;
}

import { EVENT_COLUMNS, type EventRow } from './event-row.ts';

// A line holds the values of an event in the order of EVENT_COLUMNS. What it leaves out at its end, and what
// is `null`, takes the column's default. Why places instead of names: the engine reads such a line in two
// thirds of the time.

/** What stands in front of each line's tail, once its batch is known. */
export function toLineOpening(batchId: bigint | number | string): string {
  return `["${batchId}",`;
}

/** The columns behind the opening. */
const [, ...VALUES] = EVENT_COLUMNS;

/**
 * The row as one line for the warehouse, without its opening.
 *
 * Why instants stay whole milliseconds: the engine reads a DateTime64(3) from a bare number so.
 */
export function toLineTail(row: EventRow): string {
  const values: unknown[] = VALUES.map((column) => row[column]);
  let length = values.length;
  while (values[length - 1] === undefined) length -= 1;
  values.length = length;
  return `${JSON.stringify(values).slice(1)}\n`;
}

/** A line as it was read back: the row with its batch, without what took a default. */
export type EventLine = Partial<EventRow> & { readonly batch_id: string };

/** Reads a line with its opening. Throws SyntaxError when it is none. */
export function readEventLine(line: string): EventLine {
  const values = JSON.parse(line) as unknown[];
  const named = values.map((value, place) => [EVENT_COLUMNS[place], value]);
  return Object.fromEntries(named.filter(([, value]) => value !== null)) as EventLine;
}

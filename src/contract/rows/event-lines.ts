import { EVENT_COLUMNS, type EventRow } from './event-row.ts';

// A line holds an event's values in the order of EVENT_COLUMNS. Values that are `null` or missing at the
// end take the column's default. Why positions instead of names: the engine needs a third less time to
// read such a line.

/** The start of a line, which is added once the batch is known. */
export function toLineOpening(batchId: bigint | number | string): string {
  return `["${batchId}",`;
}

/** The columns after the opening. */
const [, ...VALUES] = EVENT_COLUMNS;

/**
 * Serializes a row as one line for the warehouse, without its opening.
 *
 * Instants stay whole milliseconds, because the engine reads a bare number as a DateTime64(3).
 */
export function toLineTail(row: EventRow): string {
  const values: unknown[] = VALUES.map((column) => row[column]);
  let length = values.length;
  while (values[length - 1] === undefined) length -= 1;
  values.length = length;
  return `${JSON.stringify(values).slice(1)}\n`;
}

/** A parsed line: the row with its batch id. Columns with default values are left out. */
export type EventLine = Partial<EventRow> & { readonly batch_id: string };

/** Parses a complete line. Throws SyntaxError if it is malformed. */
export function readEventLine(line: string): EventLine {
  const values = JSON.parse(line) as unknown[];
  const named = values.map((value, index) => [EVENT_COLUMNS[index], value]);
  return Object.fromEntries(named.filter(([, value]) => value !== null)) as EventLine;
}

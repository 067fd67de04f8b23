import { findCurrency } from '#domain/money/currencies.ts';
import type { CellFault, Row } from '../csv/read-table.ts';
import { readWrittenAmount } from './written-amount.ts';

/** The plain text of an amount in a cell. What is wrong with it is added to the faults. */
export function readAmount(
  row: Row,
  [column, code]: readonly [column: string, currency: string],
  faults: CellFault[],
): string {
  const amount = readWrittenAmount(row(column), findCurrency(code.toUpperCase())?.exponent ?? 2);
  if (amount.ok) return amount.value;
  faults.push({ column, message: amount.error });
  return '0';
}

/** A time without an offset, of a column that is in UTC. Anything else is left as it is. */
export function toUtc(text: string): string {
  const [, day, time = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? [];
  return day === undefined ? text : `${day}T${time}Z`;
}

/** The first of these columns that has something. */
export function firstOf(row: Row, ...columns: readonly string[]): string {
  return columns.map(row).find((text) => text !== '') ?? '';
}

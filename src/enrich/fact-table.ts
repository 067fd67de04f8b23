import { readFileSync } from 'node:fs';

/**
 * Reads the rows of a table in `data/` as records by column name.
 *
 * - Shape: lines that start with `#` are comments. The first other line names the columns. Commas
 *   separate cells and cannot be quoted, because the tables are our own.
 * - Throws if the table is missing or a row has the wrong number of columns: a broken installation.
 */
export function readFactTable<Column extends string>(
  fileName: string,
  columns: readonly Column[],
): Record<Column, string>[] {
  const text = readFileSync(new URL(`../../data/${fileName}`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [header, ...rows] = lines.map((line) => line.split(','));
  if (header?.join() !== columns.join()) {
    throw new Error(`data/${fileName} has the columns ${header}, but expected ${columns}`);
  }
  return rows.map((cells) => {
    if (cells.length !== columns.length) {
      throw new Error(`data/${fileName}: "${cells}" does not have ${columns.length} columns`);
    }
    const pairs = columns.map((column, index) => [column, cells[index] ?? '']);
    return Object.fromEntries(pairs) as Record<Column, string>;
  });
}

/** Splits a cell that holds a list. The default separator is a space. */
export function splitCell(cell: string, separator = ' '): string[] {
  return cell.split(separator).filter((word) => word !== '');
}

import { readFileSync } from 'node:fs';

/**
 * The rows of a table in `data/`, each a record by column name.
 *
 * - Shape: `#` begins a line of remarks, the first other line names the columns, a comma separates
 *   and cannot be quoted; the tables are ours.
 * - Throws when the table is missing or a row has another number of columns: a broken install.
 */
export function readFactTable<Column extends string>(
  fileName: string,
  columns: readonly Column[],
): Record<Column, string>[] {
  const text = readFileSync(new URL(`../../data/${fileName}`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [header, ...rows] = lines.map((line) => line.split(','));
  if (header?.join() !== columns.join()) {
    throw new Error(`data/${fileName} has the columns ${header}, expected ${columns}`);
  }
  return rows.map((cells) => {
    if (cells.length !== columns.length) {
      throw new Error(`data/${fileName}: "${cells}" has not ${columns.length} columns`);
    }
    const pairs = columns.map((column, index) => [column, cells[index] ?? '']);
    return Object.fromEntries(pairs) as Record<Column, string>;
  });
}

/** The words of a cell that holds a list, separated by the given mark (a blank, if not said). */
export function splitCell(cell: string, mark = ' '): string[] {
  return cell.split(mark).filter((word) => word !== '');
}

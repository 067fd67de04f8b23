import { decodeText, UnreadableFile } from './decode-text.ts';
import { type CsvRecord, readRecords } from './read-records.ts';

/** The cell of a column, without spaces around it. Empty if the file has no such column. */
export type Row = (column: string) => string;

/** What is wrong in a column. */
export type CellFault = { readonly column: string; readonly message: string };

/** What no name of a column has, and no terminal should be shown. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f]/;

/** The names of a table's columns. Throws UnreadableFile if it has none. */
export async function readHeader(bytes: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  for await (const [header] of readRecords(decodeText(bytes))) {
    if (header === undefined) continue;
    const { cells, fault } = header;
    if (fault !== undefined) throw new UnreadableFile(`The header ${fault}.`);
    if (cells.some((cell) => CONTROL.test(cell))) {
      throw new UnreadableFile('The file is no text: save the table as “CSV UTF-8”.');
    }
    if (cells.some((cell) => cell.includes('\r'))) {
      throw new UnreadableFile('The lines end with CR alone: save the table as “CSV UTF-8”.');
    }
    return cells.map((cell) => cell.trim());
  }
  throw new UnreadableFile('The file is empty.');
}

/** A row, with the number of its first line; or what is wrong with it, without a column as a whole. */
export type FoundRow = { readonly line: number; readonly row: Row; readonly fault?: CellFault };

/** The rows below the header, some at a time. */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly string[],
): AsyncGenerator<readonly FoundRow[]> {
  const indexes = new Map(columns.map((column, index) => [toColumnName(column), index]));
  const indexByColumn = new Map<string, number>(); // Saves to spell a column's name for each line.
  const indexOf = (column: string) =>
    indexByColumn.getOrInsertComputed(column, () => indexes.get(toColumnName(column)) ?? -1);
  let isHeader = true;
  for await (const records of readRecords(decodeText(bytes))) {
    const own = isHeader ? records.slice(1) : records;
    if (records.length > 0) isHeader = false;
    yield own.map(({ line, ...record }) => {
      const row: Row = (column) => record.cells[indexOf(column)]?.trim() ?? '';
      const fault = findFault(record, columns);
      return { line, row, ...(fault !== undefined && { fault }) };
    });
  }
}

/** Characters that no text has: NUL, and what takes the place of bytes that are no UTF-8. */
const ODD = /[\0\uFFFD]/;

function findFault(
  { cells, fault }: Omit<CsvRecord, 'line'>,
  columns: readonly string[],
): CellFault | undefined {
  if (fault !== undefined) return { column: '', message: fault };
  // Some exports end each line with a separator.
  const isLonger =
    cells.length > columns.length && cells.slice(columns.length).some((c) => c !== '');
  if (isLonger || cells.length < columns.length) {
    return {
      column: '',
      message: `has ${cells.length} cells, and the header has ${columns.length}`,
    };
  }
  const odd = cells.findIndex((cell) => ODD.test(cell));
  if (odd < 0) return undefined;
  const message = 'has bytes that are not UTF-8: save the table as “CSV UTF-8”';
  return { column: columns[odd] ?? '', message };
}

/** The name of a column without outer spaces, in lower case: how columns are compared. */
export function toColumnName(column: string): string {
  return column.trim().toLowerCase();
}

/** Throws UnreadableFile if one of the columns that are read is there twice. */
export function assertOnce(columns: readonly string[], read: readonly string[]): void {
  const [names, wanted] = [columns.map(toColumnName), new Set(read.map(toColumnName))];
  const twice = names.findIndex((name, index) => wanted.has(name) && names.indexOf(name) < index);
  if (twice >= 0) throw new UnreadableFile(`The column ${columns[twice]} is there twice.`);
}

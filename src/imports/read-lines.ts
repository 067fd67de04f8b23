import { decodeText, UnreadableFile } from './csv/decode-text.ts';
import { type CsvRecord, readRecords } from './csv/read-records.ts';
import { findFormat, findIgnored, toName } from './formats/find-format.ts';
import {
  type Format,
  faulty,
  type Reading,
  type ReadingOptions,
  type Row,
} from './formats/format.ts';

/** A line of a file and what it says. */
export type ReadLine = { readonly line: number; readonly reading: Reading };

/** A file of payments whose header was read. */
export type PaymentFile = {
  readonly format: Format;
  /** Columns that are not read. */
  readonly ignored: readonly string[];
  /** The lines after the header, some at a time. */
  readLines(): AsyncGenerator<readonly ReadLine[]>;
};

type Asked = ReadingOptions & { readonly format?: string | undefined };

/**
 * Opens a file of payments. `openBytes` reads it from its beginning: for its header, perhaps for how it writes dates,
 * and for its lines.
 *
 * - Throws UnreadableFile if it is no CSV file of a known format.
 */
export async function openPaymentFile(
  openBytes: () => AsyncIterable<Uint8Array>,
  asked: Asked,
): Promise<PaymentFile> {
  const columns = await readHeader(openBytes());
  const format = findFormat(columns, asked.format);
  const options = await findOptions(format, () => readRows(openBytes(), columns), asked);
  return {
    format,
    ignored: findIgnored(format, columns),
    async *readLines() {
      for await (const rows of readRows(openBytes(), columns)) {
        yield rows.map(({ line, row, fault }) => {
          if (fault !== undefined) return { line, reading: fault };
          return { line, reading: format.read(row, options) };
        });
      }
    },
  };
}

async function readHeader(bytes: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  for await (const [header] of readRecords(decodeText(bytes))) {
    if (header === undefined) continue;
    const { cells, fault } = header;
    if (fault !== undefined) throw new UnreadableFile(`The header ${fault}.`);
    if (cells.some((cell) => cell.includes('\r'))) {
      throw new UnreadableFile('The lines end with CR alone: save the table as “CSV UTF-8”.');
    }
    return cells.map((cell) => cell.trim());
  }
  throw new UnreadableFile('The file is empty.');
}

type FoundRow = { readonly line: number; readonly row: Row; readonly fault?: Reading };

async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly string[],
): AsyncGenerator<readonly FoundRow[]> {
  const indexes = new Map(columns.map((column, index) => [toName(column), index]));
  const indexByColumn = new Map<string, number>(); // Saves to spell a column's name for each line.
  const indexOf = (column: string) =>
    indexByColumn.getOrInsertComputed(column, () => indexes.get(toName(column)) ?? -1);
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
): Reading | undefined {
  if (fault !== undefined) return faulty('', fault);
  // Some exports end each line with a separator.
  const isLonger =
    cells.length > columns.length && cells.slice(columns.length).some((c) => c !== '');
  if (isLonger || cells.length < columns.length) {
    return faulty('', `has ${cells.length} cells, and the header has ${columns.length}`);
  }
  const odd = cells.findIndex((cell) => ODD.test(cell));
  if (odd < 0) return undefined;
  return faulty(columns[odd] ?? '', 'has bytes that are not UTF-8: save the table as “CSV UTF-8”');
}

/** Finds what the format leaves open: as asked, or else by the first line that tells. */
async function findOptions(
  format: Format,
  openRows: () => AsyncGenerator<readonly FoundRow[]>,
  asked: Asked,
): Promise<ReadingOptions> {
  const { leavesOpen } = format;
  if (leavesOpen === undefined || asked[leavesOpen.option] !== undefined) return asked;
  let isOpen = false;
  for await (const rows of openRows()) {
    for (const { row, fault } of rows) {
      const found = fault === undefined ? leavesOpen.find(row) : undefined;
      if (found === 'unclear') isOpen = true;
      else if (found !== undefined) return { ...asked, [leavesOpen.option]: found };
    }
  }
  if (isOpen) throw new UnreadableFile(leavesOpen.otherwise);
  return asked;
}

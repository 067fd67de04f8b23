import { UnreadableFile } from './csv/decode-text.ts';
import { type FoundRow, readHeader, readRows } from './csv/read-table.ts';
import { findFormat, findIgnored } from './formats/find-format.ts';
import { type Format, faulty, type Reading, type ReadingOptions } from './formats/format.ts';

/** A line of a file and what it says. */
type ReadLine = { readonly line: number; readonly reading: Reading };

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
          if (fault !== undefined) return { line, reading: faulty(fault.column, fault.message) };
          return { line, reading: format.read(row, options) };
        });
      }
    },
  };
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

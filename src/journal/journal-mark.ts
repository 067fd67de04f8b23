import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** The progress of a journal file, whose batches are numbered in sequence. */
export type Mark = {
  /** Batches up to this one are shipped and deleted. */
  readonly shippedUpTo: number;
  /** The following batches up to this one are in the shipment in flight. */
  readonly shippingUpTo: number;
  /** The last acknowledged batch. */
  readonly lastSeq: number;
};

interface MarkFile {
  set(change: Partial<Mark>): void;
  close(): void;
}

/**
 * Opens and writes the mark of the journal file at `path`.
 *
 * - Why outside the database: if its write-ahead log is damaged, SQLite silently drops all commits after
 *   the damage. The mark shows which batches are missing and which were shipped.
 * - Why no fsync: the mark is never ahead of the database. After a power cut, it is at worst behind.
 */
export function openMark(path: string, mark: Mark): MarkFile {
  const file = openSync(markPathOf(path), constants.O_RDWR | constants.O_CREAT);
  let current = mark;
  const write = () => {
    const text = JSON.stringify(current);
    // Padded beyond the longest text, so that each write overwrites the previous one completely.
    writeSync(file, `${crc32(text)} ${text}`.padEnd(128), 0);
  };
  write();
  return {
    set(change) {
      current = { ...current, ...change };
      try {
        write();
      } catch {
        // The mark only helps to report damage. A failed write must not refuse a batch.
      }
    },
    close: () => closeSync(file),
  };
}

/** The mark of the journal file at `path`, if it exists and its checksum is right. */
export function readMark(path: string): Mark | undefined {
  if (!existsSync(markPathOf(path))) return undefined;
  const written = readFileSync(markPathOf(path), 'latin1');
  const [, crc, text = ''] = /^(\d+) (.*\})/.exec(written) ?? [];
  return crc32(text) === Number(crc) ? JSON.parse(text) : undefined;
}

/** The path of a file's mark. */
export function markPathOf(path: string): string {
  return `${path}-mark`;
}

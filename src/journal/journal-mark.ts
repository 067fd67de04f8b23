import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Where a file of the journal stands: its batches are numbered in sequence. */
export type Mark = {
  /** Batches up to this one left the file. */
  readonly shippedUpTo: number;
  /** Those behind, up to this one, are in the shipment under way. */
  readonly shippingUpTo: number;
  /** The last batch that was acknowledged. */
  readonly lastSeq: number;
};

/** The mark beside an open file of the journal. */
export interface MarkFile {
  set(change: Partial<Mark>): void;
  close(): void;
}

/**
 * Opens the mark of the journal's file at `path`, and writes it.
 *
 * - Why beside the database: when its log is damaged, SQLite drops the commits behind the damage in silence.
 *   The mark says which batches are missing then, and which were shipped.
 * - Why no fsync: it never runs ahead of the database, so that a power cut leaves it behind at worst.
 */
export function openMark(path: string, mark: Mark): MarkFile {
  const file = openSync(markPathOf(path), constants.O_RDWR | constants.O_CREAT);
  let now = mark;
  const write = () => {
    const text = JSON.stringify(now);
    // Longer than any text, so that each writes over all of the one before.
    writeSync(file, `${crc32(text)} ${text}`.padEnd(128), 0);
  };
  write();
  return {
    set(change) {
      now = { ...now, ...change };
      try {
        write();
      } catch {
        // It is a help in a second misfortune: no batch is refused for it.
      }
    },
    close: () => closeSync(file),
  };
}

/** The mark of the journal's file at `path`, if there is a sound one. */
export function readMark(path: string): Mark | undefined {
  if (!existsSync(markPathOf(path))) return undefined;
  const written = readFileSync(markPathOf(path), 'latin1');
  const [, crc, text = ''] = /^(\d+) (.*\})/.exec(written) ?? [];
  return crc32(text) === Number(crc) ? JSON.parse(text) : undefined;
}

/** Where the mark lies. */
export function markPathOf(path: string): string {
  return `${path}-mark`;
}

import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
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

const BYTES = 28;

/**
 * Opens the mark of the journal's file at `path`, and writes it.
 *
 * - Why beside the database: when its log is damaged, SQLite drops the commits behind the damage in silence.
 *   The mark says which batches are missing then, and which were shipped.
 * - Why no fsync: it never runs ahead of the database, so that a power cut leaves it behind at worst.
 */
export function openMark(path: string, mark: Mark): MarkFile {
  const file = openSync(markPathOf(path), existsSync(markPathOf(path)) ? 'r+' : 'w');
  let now = mark;
  const write = () => void writeSync(file, toBytes(now), 0, BYTES, 0);
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
  const bytes = readFileSync(markPathOf(path));
  if (bytes.length !== BYTES || crc32(bytes.subarray(0, 24)) !== bytes.readUInt32LE(24)) {
    return undefined;
  }
  return {
    shippedUpTo: bytes.readDoubleLE(0),
    shippingUpTo: bytes.readDoubleLE(8),
    lastSeq: bytes.readDoubleLE(16),
  };
}

/** Where the mark lies. */
export function markPathOf(path: string): string {
  return `${path}-mark`;
}

function toBytes({ shippedUpTo, shippingUpTo, lastSeq }: Mark): Buffer {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeDoubleLE(shippedUpTo, 0);
  bytes.writeDoubleLE(shippingUpTo, 8);
  bytes.writeDoubleLE(lastSeq, 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 24)), 24);
  return bytes;
}

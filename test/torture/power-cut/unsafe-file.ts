import type { Chance } from '#cli/demo/chance.ts';

/** A file with some bytes on disk and some not yet. */
export interface UnsafeFile {
  write(offset: number, bytes: Buffer): void;
  truncate(sizeBytes: number): void;
  /** Everything written is now on disk; returns whether the file is new or its size has changed. */
  sync(): 'grown' | 'as before';
  /** The content after a power cut: everything safe, and by chance some of the rest. */
  survive(chance: Chance): Buffer;
}

type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly sizeBytes: number };

/** The unit that a disk writes atomically. */
const SECTOR_BYTES = 512;

/** A file with these bytes on disk; a newly created one if undefined. */
export function createUnsafeFile(safe: Buffer | undefined): UnsafeFile {
  let bytes = safe ?? Buffer.alloc(0);
  let sizeBytes = bytes.length;
  let isNew = safe === undefined;
  let waiting: Change[] = [];

  /** Allocates more than needed, as a log grows by many small writes. */
  function reserve(size: number): void {
    if (size <= bytes.length) return;
    const larger = Buffer.alloc(Math.max(size, bytes.length * 2));
    bytes.copy(larger, 0, 0, sizeBytes);
    bytes = larger;
  }

  function apply(change: Change): void {
    if ('sizeBytes' in change) {
      reserve(change.sizeBytes);
      if (change.sizeBytes < sizeBytes) bytes.fill(0, change.sizeBytes, sizeBytes);
      sizeBytes = change.sizeBytes;
      return;
    }
    const end = change.offset + change.bytes.length;
    reserve(end);
    change.bytes.copy(bytes, change.offset);
    sizeBytes = Math.max(sizeBytes, end);
  }

  return {
    write: (offset, written) => void waiting.push({ offset, bytes: written }),
    truncate: (size) => void waiting.push({ sizeBytes: size }),
    sync() {
      const before = sizeBytes;
      if (waiting.length > 0 && safe !== undefined && bytes === safe) bytes = Buffer.from(safe);
      for (const change of waiting) apply(change);
      waiting = [];
      const reported = isNew || before !== sizeBytes ? 'grown' : 'as before';
      isNew = false;
      return reported;
    },
    survive(chance) {
      bytes = Buffer.from(bytes);
      const first = waiting.slice(0, chance.isTrue(0.4) ? 0 : chance.whole(0, waiting.length));
      const next = waiting[first.length];
      // Bytes in place may be written in any order; those that extend the file may not.
      const isInPlace = (change: Change) =>
        'bytes' in change && change.offset + change.bytes.length <= sizeBytes;
      const shuffled = chance.isTrue(0.3)
        ? first.filter((c) => !isInPlace(c) || chance.isTrue(0.5))
        : first;
      for (const change of shuffled) apply(change);
      if (next !== undefined && 'bytes' in next && first.length > 0) apply(tear(next, chance));
      return Buffer.from(bytes.subarray(0, sizeBytes));
    },
  };
}

/** The first sectors of a write interrupted by the cut. */
function tear(change: { readonly offset: number; readonly bytes: Buffer }, chance: Chance): Change {
  const sectors = chance.whole(0, Math.floor(change.bytes.length / SECTOR_BYTES));
  return { offset: change.offset, bytes: change.bytes.subarray(0, sectors * SECTOR_BYTES) };
}

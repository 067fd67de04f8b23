import type { Chance } from '#cli/demo/chance.ts';

/** A file of which some bytes are on the disk and some are not yet. */
export interface UnsafeFile {
  write(offset: number, bytes: Buffer): void;
  truncate(sizeBytes: number): void;
  /** All that was written is on the disk now; says whether the file is new or its size another. */
  sync(): 'grown' | 'as before';
  /** What is there after a power cut: all that is safe, and by chance some of the rest. */
  survive(chance: Chance): Buffer;
}

type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly sizeBytes: number };

/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512;

/** A file with these bytes on the disk; one that is just made when there are none. */
export function createUnsafeFile(safe: Buffer | undefined): UnsafeFile {
  let bytes = safe ?? Buffer.alloc(0);
  let sizeBytes = bytes.length;
  let isNew = safe === undefined;
  let waiting: Change[] = [];

  /** Room for more than is asked for, as a log grows by many small writes. */
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
      // What lies in its old place may be written in any order; what makes the file longer may not.
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

/** The first sectors of a write that the cut came into. */
function tear(change: { readonly offset: number; readonly bytes: Buffer }, chance: Chance): Change {
  const sectors = chance.whole(0, Math.floor(change.bytes.length / SECTOR_BYTES));
  return { offset: change.offset, bytes: change.bytes.subarray(0, sectors * SECTOR_BYTES) };
}

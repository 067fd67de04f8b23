import { type BatchSize, PARCEL_LIMITS } from './choose-oldest.ts';

/** Batches that were written to disk a moment ago and are still in memory. */
export interface RecentBatches {
  /** The lines as bytes; they are kept when {@link RecentBatches.keep} follows, else written over. */
  toBytes(lines: string): Buffer;
  /** The bytes of the last call are on disk, under this number. */
  keep(seq: number, rows: number): void;
  /** Every batch from `firstSeq` on that lies behind it in one piece; `undefined` when it is not here. */
  findFrom(firstSeq: number): readonly BatchSize[] | undefined;
  /** The batches in one piece, valid until they are forgotten; `undefined` when not all are here. */
  find(
    firstSeq: number,
    lastSeq: number,
  ): { readonly rows: number; readonly lines: Buffer } | undefined;
  /** Nobody needs the batches up to this one any more. */
  forget(upTo: number): void;
}

/**
 * Keeps the bytes of new batches one behind the other, so that a shipment is a piece of memory.
 *
 * - Shape: two slabs take turns, one being filled while the other is shipped. What comes while both are
 *   full is not kept: it is in the journal's file, from where it ships.
 * - Why: reading a second's batches back from the file kept commits, and so answers, waiting for some 20 ms.
 */
export function createRecentBatches(slabBytes = PARCEL_LIMITS.sizeBytes): RecentBatches {
  const slabs: readonly [Slab, Slab] = [createSlab(slabBytes), createSlab(slabBytes)];
  let filling = slabs[0];
  let sizeBytes: number | undefined;

  function turn(): void {
    const other = filling === slabs[0] ? slabs[1] : slabs[0];
    if (other.batches.length === 0) filling = other;
  }

  return {
    toBytes(lines) {
      if (!hasRoom(filling, lines)) turn();
      if (!hasRoom(filling, lines)) {
        filling.isClosed = true;
        sizeBytes = undefined;
        return Buffer.from(lines);
      }
      const bytes = filling.write(lines);
      sizeBytes = bytes.length;
      return bytes;
    },
    keep(seq, rows) {
      if (sizeBytes === undefined) return;
      const startsAt = endOf(filling);
      filling.batches.push({ seq, rows, size: sizeBytes, endsAt: startsAt + sizeBytes });
    },
    findFrom: (firstSeq) => slabs.find(({ batches }) => batches[0]?.seq === firstSeq)?.batches,
    find(firstSeq, lastSeq) {
      for (const slab of slabs) {
        const from = slab.batches.findIndex(({ seq }) => seq === firstSeq);
        const to = slab.batches.findIndex(({ seq }) => seq === lastSeq);
        if (from < 0 || to < 0) continue;
        if (slab === filling) turn();
        return slab.read(from, to);
      }
      return undefined;
    },
    forget(upTo) {
      for (const slab of slabs) slab.forget(upTo);
    },
  };
}

type KeptBatch = BatchSize & { readonly endsAt: number };

type Slab = ReturnType<typeof createSlab>;

/** A slab is closed once a batch was not kept, as nothing behind that one would follow in order. */
function createSlab(sizeBytes: number) {
  let memory: Buffer | undefined;
  return {
    batches: [] as KeptBatch[],
    isClosed: false,
    sizeBytes,
    write(lines: string): Buffer {
      memory ??= Buffer.allocUnsafeSlow(sizeBytes);
      const startsAt = endOf(this);
      return memory.subarray(startsAt, startsAt + memory.write(lines, startsAt));
    },
    read(from: number, to: number) {
      const kept = this.batches.slice(from, to + 1);
      const startsAt = (kept[0]?.endsAt ?? 0) - (kept[0]?.size ?? 0);
      return {
        rows: kept.reduce((sum, { rows }) => sum + rows, 0),
        lines: (memory ?? Buffer.alloc(0)).subarray(startsAt, kept.at(-1)?.endsAt),
      };
    },
    forget(upTo: number): void {
      const gone = this.batches.findLastIndex(({ seq }) => seq <= upTo) + 1;
      this.batches.splice(0, gone);
      if (this.batches.length === 0) this.isClosed = false;
    },
  };
}

function endOf({ batches }: { readonly batches: readonly KeptBatch[] }): number {
  return batches.at(-1)?.endsAt ?? 0;
}

/** A character takes three bytes at most. */
function hasRoom(slab: Slab, lines: string): boolean {
  return !slab.isClosed && endOf(slab) + lines.length * 3 <= slab.sizeBytes;
}

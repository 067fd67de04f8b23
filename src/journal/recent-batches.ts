import { type BatchSize, SHIPMENT_LIMITS } from '#storage/choose-oldest.ts';

/** A batch on its way to disk: so many rows, one a line. */
export type NewBatch = { readonly seq: number; readonly rows: number; readonly lines: string };

/** Batches that were written to disk a moment ago and are still in memory. */
export interface RecentBatches {
  /** The lines as bytes, which are kept if there is room. */
  keep(batch: NewBatch): Buffer;
  /** This batch and those behind it could not be written to disk. */
  takeBack(firstSeq: number): void;
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
export function createRecentBatches(slabBytes = SHIPMENT_LIMITS.sizeBytes): RecentBatches {
  const slabs: readonly [Slab, Slab] = [createSlab(slabBytes), createSlab(slabBytes)];
  let filling = slabs[0];

  function turn(): void {
    const other = filling === slabs[0] ? slabs[1] : slabs[0];
    if (other.batches.length === 0) filling = other;
  }

  return {
    keep({ seq, rows, lines }) {
      if (!hasRoom(filling, lines)) turn();
      if (hasRoom(filling, lines)) return filling.write(seq, rows, lines);
      filling.isClosed = true;
      return Buffer.from(lines);
    },
    takeBack(firstSeq) {
      for (const slab of slabs) slab.takeBack(firstSeq);
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
    write(seq: number, rows: number, lines: string): Buffer {
      memory ??= Buffer.allocUnsafeSlow(sizeBytes);
      const startsAt = endOf(this);
      const size = memory.write(lines, startsAt);
      this.batches.push({ seq, rows, size, endsAt: startsAt + size });
      return memory.subarray(startsAt, startsAt + size);
    },
    takeBack(firstSeq: number): void {
      const from = this.batches.findIndex(({ seq }) => seq >= firstSeq);
      if (from >= 0) this.batches.splice(from);
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

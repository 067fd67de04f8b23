import { type BatchSize, SHIPMENT_LIMITS } from '#storage/choose-oldest.ts';
import type { BatchMemory } from '#storage/queue-source.ts';

/** A batch on its way to disk: so many rows, one a line. */
export type NewBatch = { readonly seq: number; readonly rows: number; readonly lines: string };

/** Batches that were written to disk a moment ago and are still in memory. */
export interface RecentBatches extends BatchMemory {
  /** The lines as bytes, which are kept if there is room. */
  keep(batch: NewBatch): Buffer;
  /** This batch and those behind it could not be written to disk. */
  takeBack(firstSeq: number): void;
}

/**
 * Keeps the bytes of new batches, as many as there is room for. What comes while it is full ships from the
 * journal's file.
 *
 * Why: reading a second's batches back from the file kept commits, and so answers, waiting for some 20 ms.
 */
export function createRecentBatches(maxBytes = 2 * SHIPMENT_LIMITS.sizeBytes): RecentBatches {
  const kept = new Map<number, BatchSize & { readonly bytes: Buffer }>();
  let sizeBytes = 0;

  function remove(isRemoved: (seq: number) => boolean): void {
    for (const { seq, size } of kept.values()) {
      if (isRemoved(seq) && kept.delete(seq)) sizeBytes -= size;
    }
  }

  function inOnePiece(firstSeq: number, lastSeq = Number.POSITIVE_INFINITY) {
    const piece = [];
    for (let seq = firstSeq; seq <= lastSeq; seq++) {
      const batch = kept.get(seq);
      if (batch === undefined) return { piece, isWhole: false };
      piece.push(batch);
    }
    return { piece, isWhole: true };
  }

  return {
    keep({ seq, rows, lines }) {
      const bytes = Buffer.from(lines);
      if (sizeBytes + bytes.length > maxBytes) return bytes;
      kept.set(seq, { seq, rows, size: bytes.length, bytes });
      sizeBytes += bytes.length;
      return bytes;
    },
    takeBack: (firstSeq) => remove((seq) => seq >= firstSeq),
    findFrom(firstSeq) {
      const { piece } = inOnePiece(firstSeq);
      return piece.length > 0 ? piece : undefined;
    },
    find(firstSeq, lastSeq) {
      const { piece, isWhole } = inOnePiece(firstSeq, lastSeq);
      if (!isWhole) return undefined;
      return {
        rows: piece.reduce((sum, { rows }) => sum + rows, 0),
        lines: Buffer.concat(piece.map(({ bytes }) => bytes)),
      };
    },
    forget: (upTo) => remove((seq) => seq <= upTo),
  };
}

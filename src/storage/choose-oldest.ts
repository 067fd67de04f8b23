import type { SeqRange } from './shipment-token.ts';

/** How large a batch is. */
export type BatchSize = { readonly seq: number; readonly rows: number; readonly size: number };

/** How large a shipment may be. */
export type ShipmentLimits = { readonly sizeBytes: number; readonly rows: number };

/** One insert's worth: large enough to be cheap, small enough for the engine's memory. */
export const SHIPMENT_LIMITS: ShipmentLimits = { sizeBytes: 16 * 1024 * 1024, rows: 60_000 };

/** The first and last of the oldest batches, as many as the limits allow, and at least one. */
export function chooseOldest(
  batches: Iterable<BatchSize>,
  limits: ShipmentLimits,
): SeqRange | undefined {
  let found: SeqRange | undefined;
  let sizeBytes = 0;
  let rows = 0;
  for (const batch of batches) {
    sizeBytes += batch.size;
    rows += batch.rows;
    if (found !== undefined && (sizeBytes > limits.sizeBytes || rows > limits.rows)) break;
    found = { firstSeq: found?.firstSeq ?? batch.seq, lastSeq: batch.seq };
  }
  return found;
}

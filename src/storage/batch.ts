import { crc32 } from 'node:zlib';

/** A batch in a queue: lines that were committed together. */
export type Batch = {
  readonly seq: number;
  readonly rows: number;
  readonly lines: Uint8Array;
  readonly crc: number;
};

/** The checksum of a batch: its lines, number and row count. */
export function checksumOf({ seq, rows, lines }: Omit<Batch, 'crc'>): number {
  return crc32(lines, crc32(`${seq} ${rows}`));
}

/** Earlier than the first batch of any journal. */
const NUMBERS_SINCE = Date.UTC(2025);

/**
 * The last used number for a queue that was just opened; `stored` is the last number that it knows.
 *
 * Why at least the milliseconds since 2025: numbers must never repeat, even if a file is lost or restored from a
 * backup. No queue commits a thousand batches a second for years.
 */
export function numbersAfter(stored: number): number {
  return Math.max(stored, Date.now() - NUMBERS_SINCE);
}

/** Whether the batch is intact: its checksum is right. */
export function isSound(batch: Batch): boolean {
  return batch.lines instanceof Uint8Array && checksumOf(batch) === batch.crc;
}

import { crc32 } from 'node:zlib';

/** Lines that were committed together, as a queue keeps them. */
export type Batch = {
  readonly seq: number;
  readonly rows: number;
  readonly lines: Uint8Array;
  readonly crc: number;
};

/** The checksum of a batch: of its lines, and of its number and count, which are columns of their own. */
export function checksumOf({ seq, rows, lines }: Omit<Batch, 'crc'>): number {
  return crc32(lines, crc32(`${seq} ${rows}`));
}

/** Before the first batch of any journal. */
const NUMBERS_SINCE = Date.UTC(2025);

/**
 * The number after which a queue that was just opened goes on, where `stored` is the last that it knows of.
 *
 * Why at least the milliseconds since 2025: a number is never used twice, and a file that was lost or brought back
 * from a backup knows too little. No queue commits a thousand batches a second, year in, year out.
 */
export function numbersAfter(stored: number): number {
  return Math.max(stored, Date.now() - NUMBERS_SINCE);
}

/** Whether the batch is the one that was written. */
export function isSound(batch: Batch): boolean {
  return batch.lines instanceof Uint8Array && checksumOf(batch) === batch.crc;
}

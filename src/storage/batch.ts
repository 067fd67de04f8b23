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

/** Whether the batch is the one that was written. */
export function isSound(batch: Batch): boolean {
  return batch.lines instanceof Uint8Array && checksumOf(batch) === batch.crc;
}

import { statfs } from 'node:fs/promises';
import { UnavailableError } from '#domain/unavailable.ts';

/** A shipment needs this much at once. With less, writes will soon fail. */
const ROOM_MIN_BYTES = 16_000_000;

/** Throws UnavailableError if a folder's disk is nearly full. */
export async function assertDiskRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < ROOM_MIN_BYTES) {
    throw new UnavailableError('The disk is full. Writes are refused until space is freed.');
  }
}

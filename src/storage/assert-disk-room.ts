import { statfs } from 'node:fs/promises';
import { UnavailableError } from '#domain/unavailable.ts';

/** With less than that, writes are refused sooner or later: a shipment needs as much at once. */
const ROOM_MIN_BYTES = 16_000_000;

/** Throws UnavailableError when the disk of a folder is nearly full. */
export async function assertDiskRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < ROOM_MIN_BYTES) {
    throw new UnavailableError('The disk is full: writes are refused until there is room.');
  }
}

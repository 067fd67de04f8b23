import { statfsSync } from 'node:fs';
import { ROOM_BYTES } from '../tables/apply-schema.ts';

/** Looks at what was written while the disk was full. */
export interface FullDiskWatch {
  /** A write has failed: whatever else was written just now may have. */
  doubt(): void;
  stop(): void;
}

/** Well within the minute for which the engine keeps what a merge has replaced. */
const LOOK_EVERY_MS = 2_000;
/** For so long after the last sign of a full disk: a merge that began then may end now. */
const DOUBTED_MS = 20_000;

/** Calls `look`, one at a time, while the disk of `folder` is nearly full, and for a while after. */
export function watchFullDisk(folder: string, look: () => Promise<void>): FullDiskWatch {
  let doubtedUntil = 0;
  let isLooking = false;
  const timer = setInterval(async () => {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < ROOM_BYTES) doubt();
    if (isLooking || performance.now() > doubtedUntil) return;
    isLooking = true;
    await look().finally(() => {
      isLooking = false;
    });
  }, LOOK_EVERY_MS);
  timer.unref();

  function doubt(): void {
    doubtedUntil = performance.now() + DOUBTED_MS;
  }
  return { doubt, stop: () => clearInterval(timer) };
}

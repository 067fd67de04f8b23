import { statfsSync } from 'node:fs';
import { ROOM_BYTES } from '../apply-schema.ts';

/** Triggers checks of data that was written while the disk was full. */
export interface FullDiskWatch {
  /** Reports a failed write. Other recent writes may have failed too. */
  doubt(): void;
  stop(): void;
}

/** Well within the minute for which the engine keeps replaced parts. */
const CHECK_EVERY_MS = 2_000;
/** How long checks continue after the last sign of a full disk, because a merge may still be running. */
const DOUBTED_MS = 20_000;

/** Calls `check`, without overlap, while the disk of `folder` is nearly full and for a while after. */
export function watchFullDisk(folder: string, check: () => Promise<void>): FullDiskWatch {
  let doubtedUntil = 0;
  let isChecking = false;
  const timer = setInterval(async () => {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < ROOM_BYTES) doubt();
    if (isChecking || performance.now() > doubtedUntil) return;
    isChecking = true;
    await check().finally(() => {
      isChecking = false;
    });
  }, CHECK_EVERY_MS);
  timer.unref();

  function doubt(): void {
    doubtedUntil = performance.now() + DOUBTED_MS;
  }
  return { doubt, stop: () => clearInterval(timer) };
}

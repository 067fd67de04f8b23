import { statfsSync } from 'node:fs';
import { keepRunning } from '#jobs/keep-running.ts';
import { ROOM_BYTES } from '../apply-schema.ts';

/** Well within the minute for which the engine keeps replaced parts. */
const CHECK_EVERY_MS = 2_000;
/** How long checks continue after the last sign of a full disk, because a merge may still be running. */
const DOUBTED_MS = 20_000;

/** Calls `check` while the disk of `folder` is nearly full and for a while after. */
export function watchFullDisk(folder: string, check: () => Promise<void>) {
  let doubtedUntil = 0;
  const { stop } = keepRunning({
    ...{ name: 'full_disk', everyMs: CHECK_EVERY_MS },
    async run() {
      const { bavail, bsize } = statfsSync(folder);
      if (bavail * bsize < ROOM_BYTES) doubt();
      if (performance.now() <= doubtedUntil) await check();
    },
  });

  /** Reports a failed write. Other recent writes may have failed too. */
  function doubt(): void {
    doubtedUntil = performance.now() + DOUBTED_MS;
  }
  return { doubt, stop };
}

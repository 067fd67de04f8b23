import { watchPlace } from '#storage/watch-place.ts';
import type { JournalFile } from './journal-file.ts';

/**
 * The file, which takes nothing more once it, or its log, was removed or replaced under it.
 *
 * - `onLost` is called once then. What was taken before can still be shipped, from here alone.
 */
export function refuseOnceGone(
  path: string,
  file: JournalFile,
  onLost: (error: Error) => void,
): JournalFile {
  const findGone = watchPlace(path);
  let lost: Error | undefined;

  return {
    ...file,
    append(batches) {
      const gone = lost === undefined ? findGone() : undefined;
      if (gone !== undefined) {
        lost = new Error(`${gone} was removed or replaced while it was in use`);
        onLost(lost);
      }
      if (lost !== undefined) throw lost;
      file.append(batches);
    },
  };
}

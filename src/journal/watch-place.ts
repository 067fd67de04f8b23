import { statSync } from 'node:fs';
import type { JournalFile } from './journal-file.ts';

/** How often is looked whether the file is still where it was opened. */
const LOOK_EVERY_MS = 500;

/**
 * The file, which takes nothing more once it, or its log, was removed or replaced under it.
 *
 * - `onLost` is called once then. What was taken before can still be shipped, from here alone.
 * - Why with each batch: SQLite goes on in a file that has no name any more, and whatever it takes
 *   is gone with the process.
 */
export function watchPlace(
  path: string,
  file: JournalFile,
  onLost: (error: Error) => void,
): JournalFile {
  const paths = [path, `${path}-wal`];
  const opened = paths.map(identityOf);
  let lookedAt = performance.now();
  let lost: Error | undefined;

  function look(): void {
    const found = paths.map(identityOf);
    const gone = paths.find((_, index) => opened[index] && opened[index] !== found[index]);
    paths.forEach((_, index) => {
      opened[index] ??= found[index]; // SQLite makes the log with the first commit.
    });
    if (gone === undefined) return;
    lost = new Error(`${gone} was removed or replaced while it was in use`);
    onLost(lost);
  }

  return {
    ...file,
    append(batches) {
      if (lost === undefined && performance.now() > lookedAt + LOOK_EVERY_MS) {
        lookedAt = performance.now();
        look();
      }
      if (lost !== undefined) throw lost;
      file.append(batches);
    },
  };
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

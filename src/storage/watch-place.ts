import { statSync } from 'node:fs';

const CHECK_EVERY_MS = 500;

/**
 * Creates a function that returns the path of the open database at `path`, or of its log, if that file was removed or
 * replaced. It checks at most twice a second.
 *
 * Why: SQLite keeps writing to a deleted file, and these writes are lost when the process ends.
 */
export function watchPlace(path: string): () => string | undefined {
  const opened = new Map([path, `${path}-wal`].map((each) => [each, identityOf(each)]));
  let checkedAt = performance.now();
  let gone: string | undefined;

  return () => {
    if (performance.now() <= checkedAt + CHECK_EVERY_MS) return gone;
    checkedAt = performance.now();
    gone = undefined;
    for (const [each, identity] of opened) {
      const found = identityOf(each);
      if (identity === undefined)
        opened.set(each, found); // SQLite creates the log at the first commit.
      else if (identity !== found) gone ??= each;
    }
    return gone;
  };
}

/** Undefined if the file is missing or inaccessible. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

import { statSync } from 'node:fs';

const LOOK_EVERY_MS = 500;

/**
 * Which of the database at `path`, which is open, and its log is gone from its place, if any, as of the last half second.
 *
 * Why: SQLite goes on in a file that has no name any more, and whatever it takes is gone with the process.
 */
export function watchPlace(path: string): () => string | undefined {
  const opened = new Map([path, `${path}-wal`].map((each) => [each, identityOf(each)]));
  let lookedAt = performance.now();
  let gone: string | undefined;

  return () => {
    if (performance.now() <= lookedAt + LOOK_EVERY_MS) return gone;
    lookedAt = performance.now();
    gone = undefined;
    for (const [each, identity] of opened) {
      const found = identityOf(each);
      if (identity === undefined)
        opened.set(each, found); // SQLite makes the log with the first commit.
      else if (identity !== found) gone ??= each;
    }
    return gone;
  };
}

/** A place that cannot be looked at is as good as gone. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

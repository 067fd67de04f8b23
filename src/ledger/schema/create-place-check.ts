import { UnavailableError } from '#domain/unavailable.ts';
import { watchPlace } from '#storage/watch-place.ts';

/**
 * Creates a check that throws UnavailableError while the open ledger file at `path` is removed or replaced. It
 * notices within half a second.
 *
 * Why: writes to a deleted file are lost when the process ends.
 */
export function createPlaceCheck(path: string): () => void {
  const findGone = watchPlace(path);
  return () => {
    const gone = findGone();
    if (gone === undefined) return;
    throw cannotWrite(
      new Error(
        `${gone} was removed or replaced while it was in use. Stop the server and restore the file.`,
      ),
    );
  };
}

/** The error for a failed write to the ledger. */
export function cannotWrite(reason: unknown): UnavailableError {
  return new UnavailableError('The ledger cannot be written to disk right now.', reason);
}

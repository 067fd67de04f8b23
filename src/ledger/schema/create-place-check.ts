import { UnavailableError } from '#domain/unavailable.ts';
import { isPostgres } from '#storage/sql/sql.ts';
import { watchPlace } from '#storage/watch-place.ts';

/**
 * Creates a check that throws UnavailableError while the open ledger's file, if it has one, is removed or replaced. It
 * notices within half a second.
 *
 * Why: writes to a deleted file are lost when the process ends.
 */
export function createPlaceCheck(location: string): () => void {
  const findGone = isPostgres(location) ? () => undefined : watchPlace(location);
  return () => {
    const gone = findGone();
    const why = `${gone} was removed or replaced while it was in use. Stop the server and restore the file.`;
    if (gone !== undefined) throw cannotWrite(new Error(why));
  };
}

/** The error for a failed write to the ledger. */
export function cannotWrite(reason: unknown): UnavailableError {
  return new UnavailableError('The ledger cannot be written to disk right now.', reason);
}

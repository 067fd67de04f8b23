import { UnavailableError } from '#domain/unavailable.ts';
import { watchPlace } from '#storage/watch-place.ts';

/**
 * Throws UnavailableError from half a second after the ledger at `path`, which is open, was removed or replaced until
 * it is back: what is written then is gone with the process.
 */
export function createPlaceCheck(path: string): () => void {
  const findGone = watchPlace(path);
  return () => {
    const gone = findGone();
    if (gone === undefined) return;
    throw cannotWrite(
      new Error(`${gone} was removed or replaced while it was in use. Stop, and bring it back.`),
    );
  };
}

/** The error of whatever the ledger did not take. */
export function cannotWrite(reason: unknown): UnavailableError {
  return new UnavailableError('The ledger cannot be written to disk just now.', reason);
}

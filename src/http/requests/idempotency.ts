import { hash } from 'node:crypto';
import type { IdempotencyClaim } from '#ingest/ports.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import type { Write } from '../writes/write-endpoint.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * The claim of the `Idempotency-Key` of a write to that path, if it has one.
 *
 * - Shape: the digest is of the path and the body's bytes: the same key at another endpoint is
 *   another request.
 */
export function findClaim(
  path: string,
  { headers, bodyText }: Pick<Write, 'headers' | 'bodyText'>,
): IdempotencyClaim | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !PRINTABLE.test(key)) {
    const message = 'must be 1 to 255 printable ASCII characters';
    throw refuseFaults([{ path: '/headers/idempotency-key', message }]);
  }
  return { key, bodyDigest: hash('sha256', `${path}\n${bodyText}`) };
}

/** An `Idempotency-Key` whose first request was another one. */
export function refuseReusedKey(): RefusedRequest {
  return new RefusedRequest(
    'idempotency_conflict',
    'This Idempotency-Key came before with another body.',
  );
}

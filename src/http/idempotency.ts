import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyClaim } from '#ingest/ports.ts';
import { refuseFaults } from './errors.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * The claim of a request's `Idempotency-Key`, if it has one.
 *
 * - Shape: the digest is of the path and the body's bytes: the same key at another endpoint is
 *   another request.
 */
export function findClaim(request: FastifyRequest): IdempotencyClaim | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !PRINTABLE.test(key)) {
    const message = 'must be 1 to 255 printable ASCII characters';
    throw refuseFaults([{ path: '/headers/idempotency-key', message }]);
  }
  const path = request.routeOptions.url ?? '';
  return { key, bodyDigest: hash('sha256', `${path}\n${request.bodyText}`) };
}

import { hash } from 'node:crypto';
import type { FastifySchema } from 'fastify';
import Type from 'typebox';
import type { KeyedAnswer } from '#ingest/keyed-answer.ts';
import type { IdempotencyClaim } from '#ingest/ports.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import type { KeyDirectory } from '../requests/authenticate.ts';
import { BODY_MAX_BYTES } from '../requests/body.ts';
import type { Server } from '../server/server-type.ts';
import { addWriteRoute, type Write, type WriteEndpoint } from './write-endpoint.ts';

/** An endpoint for backends, whose writes may carry an `Idempotency-Key`. */
export type KeyedEndpoint = Pick<WriteEndpoint, 'path' | 'scope'> & {
  answer(write: Write): Promise<KeyedAnswer>;
};

/** What an idempotent endpoint reads of the header, as OpenAPI shows it. */
const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Repeating a request with the same key and body gives the first answer again, with `Idempotent-Replayed: true`, and records nothing new, for at least 24 hours.',
    }),
  ),
});

/** Adds the endpoint's route. The answer says so when it is an earlier one. */
export function addKeyedRoute(
  server: Server,
  keys: KeyDirectory,
  { path, scope, answer }: KeyedEndpoint,
  schema: FastifySchema,
): WriteEndpoint {
  const endpoint: WriteEndpoint = {
    path,
    scope,
    isForBrowsers: false,
    bodyMaxBytes: BODY_MAX_BYTES,
    async answer(write) {
      const { answer: text, replayed } = await answer(write);
      return replayed ? { text, headers: { 'idempotent-replayed': 'true' } } : { text };
    },
  };
  const described = { ...schema, security: [{ key: [scope] }], headers: IdempotencyHeaders };
  return addWriteRoute(server, keys, endpoint, described);
}

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

import { hash } from 'node:crypto';
import type { FastifySchema } from 'fastify';
import type { ErrorType } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { IdempotencyHeaders } from '#contract/idempotency.ts';
import type { Claim } from '#domain/claim.ts';
import type { Result } from '#domain/result.ts';
import type { KeyedAnswer, ReusedKey } from '#ingest/keyed-answer.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { keyOf } from '#server/requests/authenticate.ts';
import { BODY_MAX_BYTES } from '#server/requests/body.ts';
import type { Server } from '#server/server-type.ts';
import {
  addWriteRoute,
  type Write,
  type WriteAccess,
  type WriteEndpoint,
} from './write-endpoint.ts';

/** A write from a backend, with the site of its key and the claim of its `Idempotency-Key`, if any. */
type KeyedWrite = Pick<Write, 'body' | 'bodyText'> & {
  readonly siteId: string;
  readonly claim: Claim | undefined;
};

type Refusal =
  | ReusedKey
  | { readonly type: 'invalid_request'; readonly details: readonly Fault[] }
  | { readonly type: Exclude<ErrorType, 'invalid_request'>; readonly message: string };

/** An endpoint for backends, whose writes may carry an `Idempotency-Key`. */
type KeyedEndpoint = Pick<WriteEndpoint, 'path' | 'scope'> & {
  readonly schema: FastifySchema;
  accept(write: KeyedWrite): Promise<Result<KeyedAnswer, Refusal>>;
};

/** Adds the endpoint's route. A replayed response is marked as such. */
export function addKeyedRoute(
  server: Server,
  access: WriteAccess,
  { path, scope, schema, accept }: KeyedEndpoint,
): WriteEndpoint {
  const endpoint: WriteEndpoint = {
    path,
    scope,
    isForBrowsers: false,
    bodyMaxBytes: BODY_MAX_BYTES,
    async answer(write) {
      const { siteId } = keyOf(write);
      const { body, bodyText } = write;
      const outcome = await accept({ siteId, body, bodyText, claim: findClaim(path, write) });
      if (!outcome.ok) throw toRefused(outcome.error);
      const { answer: text, replayed } = outcome.value;
      return replayed ? { text, headers: { 'idempotent-replayed': 'true' } } : { text };
    },
  };
  const described = { ...schema, security: [{ key: [scope] }], headers: IdempotencyHeaders };
  return addWriteRoute(server, access, endpoint, described);
}

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The digest covers path and body, so that the same key on another endpoint is a conflict. */
function findClaim(path: string, { headers, bodyText }: Write): Claim | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !PRINTABLE.test(key)) {
    const message = 'must be 1 to 255 printable ASCII characters';
    throw refuseFaults([{ path: '/headers/idempotency-key', message }]);
  }
  return { key, bodyDigest: hash('sha256', `${path}\n${bodyText}`) };
}

function toRefused(refusal: Refusal): RefusedRequest {
  if ('details' in refusal) return refuseFaults(refusal.details);
  if ('message' in refusal) return new RefusedRequest(refusal.type, refusal.message);
  return new RefusedRequest(
    refusal.type,
    'This Idempotency-Key was already used with a different body.',
  );
}

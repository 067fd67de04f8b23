import { errorAnswers } from '#contract/error.ts';
import { IdentifyAnswer, IdentifyRequest } from '#contract/identify.ts';
import type { AcceptIdentify } from '#ingest/accept-identify.ts';
import { type KeyDirectory, keyOf, requireKey } from '../authenticate.ts';
import { BODY_MAX_BYTES, readJsonBody, requireJsonType } from '../body.ts';
import { RefusedRequest, refuseFaults } from '../errors.ts';
import { findClaim } from '../idempotency.ts';
import { IdempotencyHeaders, sendRecorded } from '../recorded.ts';
import type { Server } from '../server-type.ts';

/** What the route of identify needs. */
export type IdentifyRouteDeps = {
  readonly keys: KeyDirectory;
  readonly acceptIdentify: AcceptIdentify;
};

/** `POST /api/v1/identify`: a backend says who a visitor is. */
export function addIdentifyRoute(
  server: Server,
  { keys, acceptIdentify }: IdentifyRouteDeps,
): void {
  server.route({
    method: 'POST',
    url: '/api/v1/identify',
    bodyLimit: BODY_MAX_BYTES,
    onRequest: [requireKey(keys, 'events:write'), requireJsonType({ beacons: false })],
    preValidation: readJsonBody,
    schema: {
      operationId: 'identify',
      summary: 'Say who a visitor is',
      description:
        'Visitors with the same `user_id` or e-mail address are one person, and so are those whose payments name the same customer or address: payments are credited to all of their visits, also those of the past.',
      tags: ['events'],
      security: [{ key: ['events:write'] }],
      headers: IdempotencyHeaders,
      body: IdentifyRequest,
      response: {
        200: IdentifyAnswer,
        ...errorAnswers(
          'invalid_json',
          'invalid_request',
          'unauthorized',
          'forbidden',
          'idempotency_conflict',
          'request_too_large',
          'unsupported_media_type',
          'rate_limited',
          'internal',
          'unavailable',
        ),
      },
    },
    async handler(request, reply) {
      const { siteId } = keyOf(request);
      const claim = findClaim(request);
      const outcome = await acceptIdentify({ siteId, identify: request.body, claim });
      if (outcome.ok) return sendRecorded(reply, outcome.value);
      if (outcome.error.type === 'invalid_request') throw refuseFaults(outcome.error.details);
      throw new RefusedRequest(
        'idempotency_conflict',
        'This Idempotency-Key came before with another body.',
      );
    },
  });
}

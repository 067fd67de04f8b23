import { errorAnswers } from '#contract/error.ts';
import { GoalAnswer, GoalRequest } from '#contract/goal.ts';
import type { AcceptGoal, GoalRefusal } from '#ingest/accept-goal.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { type KeyDirectory, keyOf, requireKey } from '../authenticate.ts';
import { BODY_MAX_BYTES, readJsonBody, requireJsonType } from '../body.ts';
import { RefusedRequest } from '../errors.ts';
import { findClaim } from '../idempotency.ts';
import { IdempotencyHeaders, sendRecorded } from '../recorded.ts';
import type { Server } from '../server-type.ts';

/** What the route of goals needs. */
export type GoalRouteDeps = {
  readonly keys: KeyDirectory;
  readonly sites: SiteDirectory;
  readonly acceptGoal: AcceptGoal;
};

/** `POST /api/v1/goals`: a backend reports that a visitor reached a goal. */
export function addGoalRoute(server: Server, { keys, sites, acceptGoal }: GoalRouteDeps): void {
  server.route({
    method: 'POST',
    url: '/api/v1/goals',
    bodyLimit: BODY_MAX_BYTES,
    onRequest: [requireKey(keys, 'goals:write'), requireJsonType({ beacons: false })],
    preValidation: readJsonBody,
    schema: {
      operationId: 'createGoal',
      summary: 'Create a custom goal',
      description:
        'Records a named custom event for a visitor who has a pageview on the site already.',
      tags: ['goals'],
      security: [{ key: ['goals:write'] }],
      headers: IdempotencyHeaders,
      body: GoalRequest,
      response: {
        200: GoalAnswer,
        ...errorAnswers(
          'invalid_json',
          'invalid_request',
          'bot_visitor',
          'unauthorized',
          'forbidden',
          'visitor_not_found',
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
      const goal = request.body;
      const outcome = await acceptGoal({ siteId, goal, claim: findClaim(request) });
      if (outcome.ok) return sendRecorded(reply, outcome.value);
      const domain = sites.findSite(siteId)?.domain ?? 'the site';
      throw toRefusal(outcome.error, goal.service_visitor_id, domain);
    },
  });
}

function toRefusal(refusal: GoalRefusal, visitorId: string, domain: string): RefusedRequest {
  switch (refusal) {
    case 'bot_visitor':
      return new RefusedRequest('bot_visitor', `Visitor ${visitorId} is a bot.`);
    case 'visitor_not_found':
      return new RefusedRequest(
        'visitor_not_found',
        `No pageview of visitor ${visitorId} is recorded on ${domain}.`,
      );
    case 'idempotency_conflict':
      return new RefusedRequest(
        'idempotency_conflict',
        'This Idempotency-Key came before with another body.',
      );
  }
}

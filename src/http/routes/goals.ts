import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import { GoalAnswer, GoalRequest } from '#contract/goal.ts';
import type { AcceptGoal, GoalRefusal } from '#ingest/accept-goal.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { type KeyDirectory, keyOf } from '../requests/authenticate.ts';
import type { Server } from '../server/server-type.ts';
import {
  addKeyedRoute,
  findClaim,
  type KeyedEndpoint,
  refuseReusedKey,
} from '../writes/keyed-route.ts';
import type { WriteEndpoint } from '../writes/write-endpoint.ts';

/** What the route of goals needs. */
export type GoalRouteDeps = {
  readonly keys: KeyDirectory;
  readonly sites: SiteDirectory;
  readonly acceptGoal: AcceptGoal;
};

const URL_PATH = '/api/v1/goals';
const checker = createChecker(GoalRequest);

/** `POST /api/v1/goals`: a backend reports that a visitor reached a goal. */
export function addGoalRoute(server: Server, deps: GoalRouteDeps): WriteEndpoint {
  const answer = createAnswerGoal(deps);
  return addKeyedRoute(
    server,
    deps.keys,
    { path: URL_PATH, scope: 'goals:write', answer },
    {
      operationId: 'createGoal',
      summary: 'Create a custom goal',
      description:
        'Records a named custom event for a visitor who has a pageview on the site already.',
      tags: ['goals'],
      body: GoalRequest,
      response: {
        200: GoalAnswer,
        ...bodyErrors('bot_visitor', 'visitor_not_found', 'idempotency_conflict'),
      },
    },
  );
}

function createAnswerGoal({ sites, acceptGoal }: GoalRouteDeps): KeyedEndpoint['answer'] {
  return async (write) => {
    const { body: goal } = write;
    if (!checker.isValid(goal)) throw refuseFaults(checker.findFaults(goal));
    const { siteId } = keyOf(write);
    const outcome = await acceptGoal({ siteId, goal, claim: findClaim(URL_PATH, write) });
    if (outcome.ok) return outcome.value;
    const domain = sites.findSite(siteId)?.domain ?? 'the site';
    throw toRefusal(outcome.error, goal.service_visitor_id, domain);
  };
}

function toRefusal(refusal: GoalRefusal, visitorId: string, domain: string): RefusedRequest {
  switch (refusal.type) {
    case 'bot_visitor':
      return new RefusedRequest('bot_visitor', `Visitor ${visitorId} is a bot.`);
    case 'visitor_not_found':
      return new RefusedRequest(
        'visitor_not_found',
        `No pageview of visitor ${visitorId} is recorded on ${domain}.`,
      );
    case 'idempotency_conflict':
      return refuseReusedKey();
  }
}

import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import { GoalAnswer, GoalRequest } from '#contract/goal.ts';
import { withoutNulls } from '#contract/optional.ts';
import { refuse } from '#domain/result.ts';
import type { AcceptGoal } from '#ingest/accept-goal.ts';
import { parseBody } from '#server/requests/body.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyedRoute } from './keyed-route.ts';
import type { WriteAccess, WriteEndpoint } from './write-endpoint.ts';

const checker = createChecker(GoalRequest);

/** `POST /api/v1/goals`: receives goals from a backend. */
export function addGoalRoute(
  server: Server,
  deps: WriteAccess & { readonly acceptGoal: AcceptGoal },
): WriteEndpoint {
  const { sites, acceptGoal } = deps;
  return addKeyedRoute(server, deps, {
    path: '/api/v1/goals',
    scope: 'goals:write',
    schema: {
      operationId: 'createGoal',
      summary: 'Record a goal',
      description: 'Records a named custom event for a visitor with a pageview on the site.',
      tags: ['goals'],
      body: GoalRequest,
      response: {
        200: GoalAnswer,
        ...bodyErrors('bot_visitor', 'visitor_not_found', 'idempotency_conflict'),
      },
    },
    async accept({ siteId, body, claim }) {
      const goal = parseBody(checker, withoutNulls(body, GoalRequest));
      const outcome = await acceptGoal({ siteId, goal, claim });
      if (outcome.ok) return outcome;
      const { type } = outcome.error;
      const visitor = goal.service_visitor_id;
      if (type === 'idempotency_conflict') return refuse({ type });
      if (type === 'bot_visitor') return refuse({ type, message: `Visitor ${visitor} is a bot.` });
      const domain = sites.findSite(siteId)?.domain ?? 'the site';
      return refuse({
        type,
        message: `No pageview of visitor ${visitor} is recorded on ${domain}.`,
      });
    },
  });
}

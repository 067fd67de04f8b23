import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import { IdentifyAnswer, IdentifyRequest } from '#contract/identify.ts';
import type { AcceptIdentify } from '#ingest/accept-identify.ts';
import { refuseFaults } from '../answers/errors.ts';
import { type KeyDirectory, keyOf } from '../requests/authenticate.ts';
import type { Server } from '../server/server-type.ts';
import {
  addKeyedRoute,
  findClaim,
  type KeyedEndpoint,
  refuseReusedKey,
} from '../writes/keyed-route.ts';
import type { WriteEndpoint } from '../writes/write-endpoint.ts';

/** What the route of identify needs. */
export type IdentifyRouteDeps = {
  readonly keys: KeyDirectory;
  readonly acceptIdentify: AcceptIdentify;
};

const URL_PATH = '/api/v1/identify';
const checker = createChecker(IdentifyRequest);

/** `POST /api/v1/identify`: a backend says who a visitor is. */
export function addIdentifyRoute(server: Server, deps: IdentifyRouteDeps): WriteEndpoint {
  const answer = createAnswerIdentify(deps);
  return addKeyedRoute(
    server,
    deps.keys,
    { path: URL_PATH, scope: 'events:write', answer },
    {
      operationId: 'identify',
      summary: 'Say who a visitor is',
      description:
        'Visitors with the same `user_id` or e-mail address are one person, and so are visitors whose payments name the same customer or address. Payments are credited to all their visits, past ones included.',
      tags: ['events'],
      body: IdentifyRequest,
      response: {
        200: IdentifyAnswer,
        ...bodyErrors('idempotency_conflict'),
      },
    },
  );
}

function createAnswerIdentify({ acceptIdentify }: IdentifyRouteDeps): KeyedEndpoint['answer'] {
  return async (write) => {
    const { body: identify } = write;
    if (!checker.isValid(identify)) throw refuseFaults(checker.findFaults(identify));
    const { siteId } = keyOf(write);
    const outcome = await acceptIdentify({ siteId, identify, claim: findClaim(URL_PATH, write) });
    if (outcome.ok) return outcome.value;
    if (outcome.error.type === 'invalid_request') throw refuseFaults(outcome.error.details);
    throw refuseReusedKey();
  };
}

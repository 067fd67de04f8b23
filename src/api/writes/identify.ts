import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import { IdentifyAnswer, IdentifyRequest } from '#contract/identify.ts';
import { withoutNulls } from '#contract/optional.ts';
import type { AcceptIdentify } from '#ingest/accept-identify.ts';
import { parseBody } from '#server/requests/body.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyedRoute } from './keyed-route.ts';
import type { WriteAccess, WriteEndpoint } from './write-endpoint.ts';

const checker = createChecker(IdentifyRequest);

/** `POST /api/v1/identify`: a backend identifies a visitor. */
export function addIdentifyRoute(
  server: Server,
  deps: WriteAccess & { readonly acceptIdentify: AcceptIdentify },
): WriteEndpoint {
  return addKeyedRoute(server, deps, {
    path: '/api/v1/identify',
    scope: 'events:write',
    schema: {
      operationId: 'identify',
      summary: 'Identify a visitor',
      description:
        'Visitors with the same `user_id` or e-mail address are one person, and so are visitors whose payments name the same customer or address. Payments are credited to all visits of a person, past ones included.',
      tags: ['events'],
      body: IdentifyRequest,
      response: { 200: IdentifyAnswer, ...bodyErrors('idempotency_conflict') },
    },
    accept: async ({ siteId, body, claim }) =>
      deps.acceptIdentify({
        siteId,
        identify: parseBody(checker, withoutNulls(body, IdentifyRequest)),
        claim,
      }),
  });
}

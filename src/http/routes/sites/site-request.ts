import type { FastifySchema, onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import type { Result } from '#domain/result.ts';
import type { Site } from '#ledger/sites/sites.ts';
import { refuseFaults } from '../../answers/errors.ts';
import { BODY_MAX_BYTES, readJsonBody, requireJsonType } from '../../requests/body.ts';
import { ofNobodyHere } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';

/** The path of a site. */
export const SitePath = Type.Object({
  id: Type.String({ description: 'The id of the site, or its domain.' }),
});

/** How a route is described that people use, signed in. */
export function byPeople<Schema extends FastifySchema>(
  operationId: string,
  summary: string,
  schema: Schema,
) {
  return { operationId, summary, tags: ['people'], security: [{ session: [] }], ...schema };
}

/** What a route needs that takes JSON, behind a hook that knows who asks. */
export function takesJson(allow: onRequestHookHandler) {
  return {
    bodyLimit: BODY_MAX_BYTES,
    onRequest: [allow, requireJsonType({ beacons: false })],
    preValidation: readJsonBody(),
  };
}

/** The site of a path. Throws when it was removed a moment ago. */
export function siteOfPath({ siteStore }: ReadDeps, { id }: { readonly id: string }): Site {
  const site = siteStore.findSite(id);
  if (site === undefined) throw ofNobodyHere();
  return site;
}

/** What a store has made of it; what it refuses is refused with its own sentence. */
export function accepted<T>(outcome: Result<T, string>): T {
  if (outcome.ok) return outcome.value;
  throw refuseFaults([{ path: '', message: outcome.error }]);
}

import type { FastifySchema, onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import type { Result } from '#domain/result.ts';
import type { Site, SiteFault } from '#ledger/sites/sites.ts';
import { RefusedRequest, refuseFaults } from '../../answers/errors.ts';
import { readJsonBody, requireJsonType } from '../../requests/body.ts';
import { noAccess, personOf, requirePerson } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';

/** The path parameters of a site. */
export const SitePath = Type.Object({
  id: Type.String({ description: 'The site’s id or domain.' }),
});

/** The response to a removal. */
export const Removed = Type.Object({ removed: Type.Literal(true) }, { description: 'Success.' });

/** The schema of a route for signed-in people. */
export function byPeople<Schema extends FastifySchema>(
  operationId: string,
  summary: string,
  schema: Schema,
) {
  return { operationId, summary, tags: ['people'], security: [{ session: [] }], ...schema };
}

/** The options of a route with a JSON body; `allow` authenticates the request first. */
export function takesJson(allow: onRequestHookHandler, depthMax?: number) {
  return {
    onRequest: [allow, requireJsonType({ beacons: false })],
    preValidation: readJsonBody(depthMax),
  };
}

/** A hook that requires the owner of the server. */
export function requireOwner({ accounts }: Pick<ReadDeps, 'accounts'>): onRequestHookHandler {
  const requireSomebody = requirePerson(accounts);
  return function require(request, reply, done) {
    requireSomebody.call(this, request, reply, () => {
      if (personOf(request).isOwner) return done();
      throw new RefusedRequest('forbidden', 'Only the owner of the server may do this.');
    });
  };
}

/** Formats an instant; null if there is none. */
export function toIso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

/** The site of a path. Throws if it has just been removed. */
export function siteOfPath({ siteStore }: ReadDeps, { id }: { readonly id: string }): Site {
  const site = siteStore.findSite(id);
  if (site === undefined) throw noAccess();
  return site;
}

/** Unwraps a store's result. Throws a refusal with the store's message, at the property that is at fault. */
export function accepted<T>(outcome: Result<T, SiteFault>): T {
  if (outcome.ok) return outcome.value;
  const { field, message } = outcome.error;
  const name = field === 'allowedHosts' ? 'allowed_hosts' : field;
  throw refuseFaults([{ path: name === undefined ? '' : `/${name}`, message }]);
}

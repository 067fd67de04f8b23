import type { FastifySchema, onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import type { Result } from '#domain/result.ts';
import type { Site, SiteFault } from '#ledger/sites/sites.ts';
import { RefusedRequest, refuseFaults } from '../../answers/errors.ts';
import { readJsonBody, requireJsonType } from '../../requests/body.ts';
import { noAccess, requirePerson } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';

/** The path parameters of a site. */
export const SitePath = Type.Object({
  id: Type.String({ description: 'The site’s id or domain.' }),
});

/** What everybody who sees a site sees of it. */
export const SITE_FIELDS = {
  ...{ domain: Type.String(), timezone: Type.String(), currency: Type.String() },
  name: Type.String({ description: 'The display name; the domain if there is none.' }),
};

/** The response where there is nothing to say. */
export const Done = Type.Object(
  { status: Type.Literal('success') },
  { title: 'Success', description: 'Success.' },
);

/** The answer of such a route. */
export const DONE = { status: 'success' } as const;

/** The response to a removal. */
export const Removed = Type.Object(
  { removed: Type.Literal(true) },
  { title: 'Removed', description: 'Success.' },
);

/** The schema of a route for signed-in people. */
export function byPeople<Schema extends FastifySchema>(
  operationId: string,
  summary: string,
  schema: Schema,
) {
  return { operationId, summary, tags: ['people'], security: [{ session: [] }], ...schema };
}

/** The schema of a route that needs no session. */
export function byAnybody<Schema extends FastifySchema>(
  operationId: string,
  summary: string,
  schema: Schema,
) {
  return { operationId, summary, tags: ['people'], ...schema };
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
  return requirePerson(accounts, ({ isOwner }) => {
    if (isOwner) return undefined;
    throw new RefusedRequest('forbidden', 'Only the owner of the server may do this.');
  });
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

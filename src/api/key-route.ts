import type { onRequestHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import type { KeyScope } from '#domain/site/scope.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { type At, addRoute, type Route } from '#server/add-route.ts';
import { type KeyDirectory, keyOf, requireKey } from '#server/requests/authenticate.ts';
import type { Server } from '#server/server-type.ts';

/** What finds a request's key, and the site that it names. */
export type KeyAccess = {
  readonly keys: KeyDirectory;
  readonly sites: Pick<SiteDirectory, 'findSite'>;
};

/** The same for a read, and how often its sender may read. */
export type ReadAccess = KeyAccess & { readonly limitReads: readonly onRequestHookHandler[] };

/** Adds a route for requests with a key of this scope, about the key's site. */
export function addKeyRoute<P extends TSchema, B extends TSchema, A extends TSchema>(
  server: Server,
  keys: KeyDirectory,
  at: At,
  scope: KeyScope,
  route: Route<P, B, A, { readonly siteId: string }>,
): void {
  const described = { security: [{ key: [scope] }], ...route };
  addRoute(server, at, [requireKey(keys, scope)], described, (request) => {
    return { siteId: keyOf(request).siteId };
  });
}

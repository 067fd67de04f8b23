import type { onRequestHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { SitePath } from '#contract/sites/site.ts';
import type { User } from '#domain/account/user.ts';
import type { Role } from '#domain/site/role.ts';
import type { Site } from '#domain/site/site.ts';
import { type At, addRoute, type Route } from '#server/add-route.ts';
import type { Server } from '#server/server-type.ts';
import { requireRole, type SiteAccess, siteOfPath, userOf } from './users.ts';

const tags = ['people'];
const BY_SESSION = { tags, security: [{ session: [] }] };

/** Adds a route that `allow` alone protects. */
export function addOpenRoute<P extends TSchema, B extends TSchema, A extends TSchema>(
  server: Server,
  at: At,
  allow: readonly onRequestHookHandler[],
  route: Route<P, B, A>,
): void {
  addRoute(server, at, allow, { tags, ...route }, () => ({}));
}

/** Adds a route for signed-in users, whom `allow` requires. */
export function addUserRoute<P extends TSchema, B extends TSchema, A extends TSchema>(
  server: Server,
  at: At,
  allow: onRequestHookHandler,
  route: Route<P, B, A, { readonly user: User }>,
): void {
  const described = { ...BY_SESSION, ...route };
  addRoute(server, at, [allow], described, (request) => ({ user: userOf(request) }));
}

/** What a route about a site is asked: by whom, and about which site. */
export type OfSite = {
  readonly user: User;
  readonly site: Site;
  /** Records in the audit log what the user did. */
  note(what: string, about: string): Promise<void>;
};

/** Returns a function that adds routes below `/api/v1/sites/{id}` for people with a role on the site. */
export function siteRoutes(server: Server, access: SiteAccess) {
  return <B extends TSchema, A extends TSchema, P extends TSchema = typeof SitePath>(
    at: At,
    role: Role,
    route: Route<P, B, A, OfSite>,
  ): void => {
    const described = { ...BY_SESSION, params: SitePath as TSchema as P, ...route };
    const place = at.replace(' ', ' /api/v1/sites/:id').replace(/\/$/, '') as At;
    addRoute(server, place, [requireRole(access, role)], described, (request) => {
      const user = userOf(request);
      const site = siteOfPath(access.sites, request.params as { readonly id: string });
      const note = (what: string, about: string) =>
        access.accounts.audit.note(user, { siteId: site.id, what, about });
      return { user, site, note };
    });
  };
}

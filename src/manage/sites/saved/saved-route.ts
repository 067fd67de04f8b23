import type { onRequestHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { REMOVED, Removed } from '#contract/done.ts';
import { SavedPath } from '#contract/sites/saved.ts';
import { SitePath } from '#contract/sites/site.ts';
import type { Saved } from '#domain/account/saved.ts';
import type { User } from '#domain/account/user.ts';
import type { Role } from '#domain/site/role.ts';
import type { KeyScope } from '#domain/site/scope.ts';
import type { Site } from '#domain/site/site.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import { type KeyDirectory, keyOf, lookTwice, requireKey } from '#server/requests/authenticate.ts';
import { readQuery } from '#server/requests/read-json.ts';
import { assertOwnSite } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addOpenRoute, siteRoutes } from '../../access/routes.ts';
import { requireRole, type SiteAccess, siteOfPath } from '../../access/users.ts';
import {
  assertFits,
  assertOwnName,
  describeSaved,
  noteAdded,
  type SavedForm,
  saveItem,
  toSavedAnswer,
  toWho,
  withArticle,
} from './save-item.ts';

type Content = Saved['content'];

/** What tells who may see saved items, and how often. */
export type SavedDeps = SiteAccess<'saved'> & {
  readonly keys: KeyDirectory;
  readonly limitReads: readonly onRequestHookHandler[];
};

/** A kind of saved item. */
type SavedRoute = {
  readonly form: SavedForm;
  readonly name: string;
  /** Whether an item may be personal instead of shared. */
  readonly mayBeOwn: boolean;
  /** The scope of keys that may save one, if keys may. */
  readonly scope?: KeyScope;
  readonly forms: readonly [added: TSchema, changed: TSchema, answer: TSchema, list: TSchema];
};

/** A segment is applied by putting it into a URL, whose length browsers limit. */
const BODY_MAX_BYTES = 8_192;

/** Adds the routes for one kind of saved item: list, add, change, remove. */
export function addSavedRoute(server: Server, deps: SavedDeps, route: SavedRoute): void {
  const { accounts } = deps;
  const { form, name, mayBeOwn, scope } = route;
  const { kind } = form;
  const [added, changed, answer, list] = route.forms;
  const add = siteRoutes(server, deps);
  const role = mayBeOwn ? 'viewer' : 'admin';
  const takesBody = { bodyLimit: BODY_MAX_BYTES, readBody: readQuery, answer };

  addOpenRoute(
    server,
    `GET /api/v1/sites/:id/${kind}s`,
    [requireRoleOrKey(deps, 'viewer', 'stats:read'), ...deps.limitReads],
    {
      operation: [`list${name}s`, `List the ${kind}s of a site`],
      security: [{ session: [] }, { key: ['stats:read'] }],
      params: SitePath,
      answer: list,
      async handle({ request, params }) {
        const site = siteOfPath(deps.sites, params);
        const things = await accounts.saved.list(site.id, kind, request.user?.id);
        return { [`${kind}s`]: things.map(toAnswer) };
      },
    },
  );
  const mayAdd = scope ? requireRoleOrKey(deps, role, scope) : requireRole(deps, role);
  addOpenRoute(server, `POST /api/v1/sites/:id/${kind}s`, [mayAdd], {
    operation: [`add${name}`, `Save ${withArticle(kind)} for a site`],
    security: [{ session: [] }, ...(scope ? [{ key: [scope] }] : [])],
    params: SitePath,
    body: added,
    ...takesBody,
    async handle({ request, params, body }) {
      const site = siteOfPath(deps.sites, params);
      const { user } = request;
      const { shared = !mayBeOwn, ...sent } = body as Content;
      const content = withoutBlanks(sent);
      const userId = user === null ? undefined : await ownerOf(user, site, shared === true);
      const item = { content, userId, authorId: user?.id };
      const saved = await saveItem(accounts.saved, form, site, item);
      await noteAdded(accounts, site, { saved, form, who: user ?? toWho(keyOf(request)) });
      return toAnswer(saved);
    },
  });
  add(`PATCH /${kind}s/:saved`, role, {
    operation: [`change${name}`, `Change ${withArticle(kind)} of a site`],
    params: SavedPath,
    body: changed,
    ...takesBody,
    async handle({ site, user, params, body, note }) {
      const saved = await find(user, site, params.saved);
      const { shared = saved.userId === undefined, ...change } = body as Content;
      const userId = await ownerOf(user, site, shared === true);
      const content = withoutBlanks({ ...saved.content, ...change });
      assertFits(form, site, content);
      const seen = await accounts.saved.list(site.id, kind, user.id);
      const others = seen.filter(({ id }) => id !== saved.id);
      assertOwnName(form, others, content);
      await accounts.saved.set({ id: saved.id, userId, content });
      await note(`${kind} changed`, describeSaved({ content }));
      return toAnswer({ ...saved, userId, content });
    },
  });
  add(`DELETE /${kind}s/:saved`, role, {
    operation: [`remove${name}`, `Remove ${withArticle(kind)} of a site`],
    params: SavedPath,
    answer: Removed,
    async handle({ site, user, params, note }) {
      const saved = await find(user, site, params.saved);
      await accounts.saved.remove(saved.id);
      await note(`${kind} removed`, describeSaved(saved));
      return REMOVED;
    },
  });

  /** An item that the user may change. Other people's own items count as missing. */
  async function find(user: User, site: Site, id: string): Promise<Saved> {
    const things = await accounts.saved.list(site.id, kind, user.id);
    const saved = things.find((each) => each.id === id);
    if (saved === undefined) throw new RefusedRequest('not_found', `There is no such ${kind}.`);
    if (saved.userId === undefined) await assertAdmin(user, site);
    return saved;
  }

  /** The owner of a new item; `undefined` if shared, which only admins may do. */
  async function ownerOf(user: User, site: Site, isShared: boolean) {
    if (!isShared) return user.id;
    await assertAdmin(user, site);
    return undefined;
  }

  async function assertAdmin(user: User, site: Site): Promise<void> {
    if ((await accounts.findRole(user, site.id)) !== 'viewer') return;
    const message = `Only an admin of the site may change a shared ${kind}.`;
    throw new RefusedRequest('forbidden', message);
  }

  function toAnswer(saved: Saved) {
    return { ...toSavedAnswer(saved), ...(mayBeOwn && { shared: saved.userId === undefined }) };
  }
}

/** A hook that requires a role on the path's site, or a key of the site with the scope. */
function requireRoleOrKey(deps: SavedDeps, role: Role, scope: KeyScope): onRequestHookHandler {
  const [byRole, byKey] = [requireRole(deps, role), requireKey(deps.keys, scope)];
  return function require(request, reply, done) {
    const isByKey = request.headers.authorization !== undefined;
    if (!isByKey) return byRole.call(this, request, reply, done);
    byKey.call(this, request, reply, (refused) => {
      if (refused !== undefined) return done(refused);
      const { id } = request.params as { readonly id: string };
      lookTwice(deps.sites, () => void assertOwnSite(deps.sites, id, keyOf(request)), done);
    });
  };
}

function withoutBlanks(content: Content): Content {
  return typeof content.name === 'string' ? { ...content, name: content.name.trim() } : content;
}

import type { onRequestHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { REMOVED, Removed } from '#contract/done.ts';
import type { Fault } from '#contract/fault.ts';
import { SavedPath } from '#contract/sites/saved.ts';
import { SitePath } from '#contract/sites/site.ts';
import type { Saved, SavedKind } from '#domain/account/saved.ts';
import type { User } from '#domain/account/user.ts';
import type { Site } from '#domain/site/site.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { type KeyDirectory, keyOf, lookTwice, requireKey } from '#server/requests/authenticate.ts';
import { readQuery } from '#server/requests/read-json.ts';
import { assertOwnSite } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addOpenRoute, siteRoutes } from '../../access/routes.ts';
import { requireRole, type SiteAccess, siteOfPath } from '../../access/users.ts';
import { assertNewName } from './assert-new-name.ts';

type Content = Saved['content'];

/** What tells who may see saved items, and how often. */
export type SavedDeps = SiteAccess<'saved'> & {
  readonly keys: KeyDirectory;
  readonly limitReads: readonly onRequestHookHandler[];
};

/** A kind of saved item. */
type SavedRoute = {
  readonly kind: SavedKind;
  readonly name: string;
  /** Whether an item may be personal instead of shared. */
  readonly mayBeOwn: boolean;
  /** The maximum number of shared items, and of each user's own. */
  readonly max: number;
  readonly forms: readonly [added: TSchema, changed: TSchema, answer: TSchema, list: TSchema];
  readonly findFaults: (site: Site, content: Content) => readonly Fault[];
};

/** A segment is applied by putting it into a URL, whose length browsers limit. */
const BODY_MAX_BYTES = 8_192;

/** Adds the routes for one kind of saved item: list, add, change, remove. */
export function addSavedRoute(server: Server, deps: SavedDeps, route: SavedRoute): void {
  const { accounts } = deps;
  const { kind, name, mayBeOwn, max, findFaults } = route;
  const [added, changed, answer, list] = route.forms;
  const add = siteRoutes(server, deps);
  const role = mayBeOwn ? 'viewer' : 'admin';
  const takesBody = { bodyLimit: BODY_MAX_BYTES, readBody: readQuery, answer };

  addOpenRoute(
    server,
    `GET /api/v1/sites/:id/${kind}s`,
    [requireReader(deps), ...deps.limitReads],
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
  add(`POST /${kind}s`, role, {
    operation: [`add${name}`, `Save ${withArticle(kind)} for a site`],
    body: added,
    ...takesBody,
    async handle({ site, user, body, note }) {
      const { shared = !mayBeOwn, ...sent } = body as Content;
      const content = withoutBlanks(sent);
      const userId = await ownerOf(user, site, shared === true);
      assertFits(site, content);
      const seen = await accounts.saved.list(site.id, kind, user.id);
      if (seen.filter((each) => each.userId === userId).length >= max) {
        const message = `There are already ${max} ${kind}s. Remove one first.`;
        throw refuseFaults([{ path: '', message }]);
      }
      assertOwnName(seen, content);
      const saved = await accounts.saved.add(site.id, kind, { userId, content });
      await note(`${kind} added`, titleOf(saved));
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
      assertFits(site, content);
      const seen = await accounts.saved.list(site.id, kind, user.id);
      assertOwnName(
        seen.filter(({ id }) => id !== saved.id),
        content,
      );
      await accounts.saved.set({ id: saved.id, userId, content });
      await note(`${kind} changed`, titleOf({ content }));
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
      await note(`${kind} removed`, titleOf(saved));
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

  function assertFits(site: Site, content: Content): void {
    const faults = findFaults(site, content);
    if (faults.length > 0) throw refuseFaults([...faults]);
  }

  /** Names must be unique among the items a user sees. Notes have none. */
  function assertOwnName(seen: readonly Saved[], { name }: Content): void {
    if (typeof name !== 'string') return;
    const names = seen.map(({ content }) => content.name);
    assertNewName(name, names, withArticle(kind));
  }

  function toAnswer({ id, userId, content, createdAt }: Saved) {
    const shared = mayBeOwn ? { shared: userId === undefined } : {};
    return { id, ...content, ...shared, created_at: new Date(createdAt).toISOString() };
  }
}

/** A hook that requires a member of the path's site, or a key of the site with `stats:read`. */
function requireReader(deps: SavedDeps): onRequestHookHandler {
  const [byRole, byKey] = [requireRole(deps, 'viewer'), requireKey(deps.keys, 'stats:read')];
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

/** What the audit log calls an item. */
function titleOf({ content }: Pick<Saved, 'content'>): string {
  return String(content.name ?? content.text);
}

function withArticle(word: string): string {
  return `${word.startsWith('a') ? 'an' : 'a'} ${word}`;
}

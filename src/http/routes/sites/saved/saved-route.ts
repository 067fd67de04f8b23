import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { Saved, SavedKind } from '#accounts/saved.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import type { Site } from '#ledger/sites/sites.ts';
import { RefusedRequest, refuseFaults } from '../../../answers/errors.ts';
import { keyOf, lookUp, requireKey } from '../../../requests/authenticate.ts';
import { personOf, requireRole } from '../../../requests/people.ts';
import { QUERY_DEPTH_MAX } from '../../../requests/read-json.ts';
import { assertOwnSite } from '../../../requests/read-params.ts';
import type { ReadDeps } from '../../../server/server-deps.ts';
import type { Server } from '../../../server/server-type.ts';
import { byPeople, Removed, SitePath, siteOfPath, takesJson } from '../site-request.ts';
import { assertNewName } from './assert-new-name.ts';

type Content = Saved['content'];

/** A kind of saved item. */
type SavedRoute = {
  readonly kind: SavedKind;
  readonly name: string;
  /** Whether an item may be personal instead of shared. */
  readonly mayBeOwn: boolean;
  /** The maximum number of shared items, and of each person's own. */
  readonly max: number;
  readonly forms: readonly [added: TSchema, changed: TSchema, answer: TSchema];
  readonly findFaults: (site: Site, content: Content) => readonly Fault[];
};

/** A segment is applied by putting it into a URL, whose length browsers limit. */
const BODY_MAX_BYTES = 8_192;
const OnePath = Type.Object({ ...SitePath.properties, saved: Type.String() });

/** Adds the routes for one kind of saved item: list, add, change, remove. */
export function addSavedRoute(server: Server, deps: ReadDeps, route: SavedRoute): void {
  const { accounts } = deps;
  const { kind, name, mayBeOwn, max, findFaults } = route;
  const [added, changed, answer] = route.forms;
  const url = `/api/v1/sites/:id/${kind}s`;
  const write = mayBeOwn ? requireRole(deps, 'viewer') : requireRole(deps, 'admin');
  const takesBody = { bodyLimit: BODY_MAX_BYTES, ...takesJson(write, QUERY_DEPTH_MAX) };
  const List = Type.Object(
    { [`${kind}s`]: Type.Array(answer) },
    { description: `The shared ${kind}s${mayBeOwn ? ', and the person’s own' : ''}.` },
  );

  server.route({
    method: 'GET',
    url,
    onRequest: [requireReader(deps), ...deps.limitReads],
    schema: {
      ...byPeople(`list${name}s`, `List the ${kind}s of a site`, {
        params: SitePath,
        response: { 200: List, ...readErrors() },
      }),
      security: [{ session: [] }, { key: ['stats:read'] }],
    },
    async handler(request) {
      const site = siteOfPath(deps, request.params);
      const things = await accounts.saved.list(site.id, kind, request.person?.id);
      return { [`${kind}s`]: things.map(toAnswer) };
    },
  });
  server.route({
    method: 'POST',
    url,
    ...takesBody,
    schema: byPeople(`add${name}`, `Save ${withArticle(kind)} for a site`, {
      params: SitePath,
      body: added,
      response: { 200: answer, ...bodyErrors() },
    }),
    async handler(request) {
      const site = siteOfPath(deps, request.params);
      const { shared = !mayBeOwn, ...sent } = request.body as Content;
      const content = withoutBlanks(sent);
      const userId = await ownerOf(request, site, shared === true);
      assertFits(site, content);
      const seen = await accounts.saved.list(site.id, kind, personOf(request).id);
      if (seen.filter((each) => each.userId === userId).length >= max) {
        const message = `There are already ${max} ${kind}s. Remove one first.`;
        throw refuseFaults([{ path: '', message }]);
      }
      assertOwnName(seen, content);
      const saved = await accounts.saved.add(site.id, kind, { userId, content });
      await note(request, site, 'added', saved);
      return toAnswer(saved);
    },
  });
  server.route({
    method: 'PATCH',
    url: `${url}/:saved`,
    ...takesBody,
    schema: byPeople(`change${name}`, `Change ${withArticle(kind)} of a site`, {
      params: OnePath,
      body: changed,
      response: { 200: answer, ...bodyErrors() },
    }),
    async handler(request) {
      const { site, saved } = await find(request);
      const { shared = saved.userId === undefined, ...change } = request.body as Content;
      const userId = await ownerOf(request, site, shared === true);
      const content = withoutBlanks({ ...saved.content, ...change });
      assertFits(site, content);
      const seen = await accounts.saved.list(site.id, kind, personOf(request).id);
      assertOwnName(
        seen.filter(({ id }) => id !== saved.id),
        content,
      );
      await accounts.saved.set({ id: saved.id, userId, content });
      await note(request, site, 'changed', { ...saved, content });
      return toAnswer({ ...saved, userId, content });
    },
  });
  server.route({
    method: 'DELETE',
    url: `${url}/:saved`,
    onRequest: write,
    schema: byPeople(`remove${name}`, `Remove ${withArticle(kind)} of a site`, {
      params: OnePath,
      response: { 200: Removed, ...readErrors() },
    }),
    async handler(request) {
      const { site, saved } = await find(request);
      await accounts.saved.remove(saved.id);
      await note(request, site, 'removed', saved);
      return { removed: true as const };
    },
  });

  /** An item that the person may change. Other people's own items count as missing. */
  async function find(request: FastifyRequest) {
    const { id, saved: wanted } = request.params as { readonly id: string; readonly saved: string };
    const site = siteOfPath(deps, { id });
    const things = await accounts.saved.list(site.id, kind, personOf(request).id);
    const saved = things.find((each) => each.id === wanted);
    if (saved === undefined) throw new RefusedRequest('not_found', `There is no such ${kind}.`);
    if (saved.userId === undefined) await assertAdmin(request, site);
    return { site, saved };
  }

  /** The owner of a new item; `undefined` if shared, which only admins may do. */
  async function ownerOf(
    request: FastifyRequest,
    site: Site,
    isShared: boolean,
  ): Promise<string | undefined> {
    if (!isShared) return personOf(request).id;
    await assertAdmin(request, site);
  }

  async function assertAdmin(request: FastifyRequest, site: Site): Promise<void> {
    if ((await accounts.findRole(personOf(request), site.id)) !== 'viewer') return;
    const message = `Only an admin of the site may change a shared ${kind}.`;
    throw new RefusedRequest('forbidden', message);
  }

  function assertFits(site: Site, content: Content): void {
    const faults = findFaults(site, content);
    if (faults.length > 0) throw refuseFaults([...faults]);
  }

  /** Names must be unique among the items a person sees. Notes have none. */
  function assertOwnName(seen: readonly Saved[], { name }: Content): void {
    if (typeof name !== 'string') return;
    const names = seen.map(({ content }) => content.name);
    assertNewName(name, names, withArticle(kind));
  }

  async function note(
    request: FastifyRequest,
    site: Site,
    did: string,
    { content }: Saved,
  ): Promise<void> {
    const about = String(content.name ?? content.text);
    await accounts.audit.note(personOf(request), {
      siteId: site.id,
      what: `${kind} ${did}`,
      about,
    });
  }

  function toAnswer({ id, userId, content, createdAt }: Saved) {
    const shared = mayBeOwn ? { shared: userId === undefined } : {};
    return { id, ...content, ...shared, created_at: new Date(createdAt).toISOString() };
  }
}

/** A hook that requires a member of the path's site, or a key of the site with `stats:read`. */
function requireReader(deps: ReadDeps): onRequestHookHandler {
  const [byRole, byKey] = [requireRole(deps, 'viewer'), requireKey(deps.keys, 'stats:read')];
  return function require(request, reply, done) {
    const isByKey = request.headers.authorization !== undefined;
    if (!isByKey) return byRole.call(this, request, reply, done);
    byKey.call(this, request, reply, (refused) => {
      if (refused !== undefined) return done(refused);
      const { id } = request.params as { readonly id: string };
      lookUp(deps.sites, () => void assertOwnSite(deps.sites, id, keyOf(request)), done);
    });
  };
}

function withoutBlanks(content: Content): Content {
  return typeof content.name === 'string' ? { ...content, name: content.name.trim() } : content;
}

function withArticle(word: string): string {
  return `${word.startsWith('a') ? 'an' : 'a'} ${word}`;
}

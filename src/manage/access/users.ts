import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { User } from '#domain/account/user.ts';
import { ROLES, type Role } from '#domain/site/role.ts';
import { type KeyScope, SCOPES } from '#domain/site/scope.ts';
import type { Site } from '#domain/site/site.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import {
  type Credential,
  type KeyDirectory,
  lookTwice,
  type Refreshed,
  type SessionRequest,
} from '#server/requests/authenticate.ts';
import { isRead } from '#server/requests/is-read.ts';
import { createRateLimit } from '#server/requests/rate-limit.ts';
import type { Server } from '#server/server-type.ts';
import type { UserAccounts } from '../ports.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user, on routes that require one. */
    user: User | null;
  }
}

/** Sites in memory, at most a second old. */
interface KnownSites extends Refreshed {
  findSite(idOrDomain: string): Site | undefined;
}

/** What finds the user of a session. */
export type KnownUsers = Pick<UserAccounts, 'origin' | 'findUser'>;

/** What tells who may do what on which site, records it, and `More` of the accounts. */
export type SiteAccess<More extends keyof UserAccounts = never> = {
  readonly accounts: KnownUsers & Pick<UserAccounts, 'findRole' | 'audit' | More>;
  readonly sites: KnownSites;
};

/** The header that names the site of a request with a session. Pages of other origins cannot send it. */
const SITE_HEADER = 'x-site-id';

/** The site that a request with a session names. A link to a file, which has no headers, names it as a parameter. */
function namedSite({ headers, method, query }: SessionRequest): unknown {
  const inQuery = method === 'GET' ? (query as { readonly site_id?: unknown }).site_id : undefined;
  return headers[SITE_HEADER] ?? inQuery;
}

const READING: readonly KeyScope[] = ['stats:read', 'visitors:read'];

/** The scopes that a session has on its site. */
const SCOPES_BY_ROLE: Readonly<Record<Role, readonly KeyScope[]>> = {
  owner: SCOPES,
  admin: SCOPES,
  viewer: READING,
};

/** Extends a key directory with sessions, which act as keys for the site that a request names. */
export function withSessions(keys: KeyDirectory, { accounts, sites }: SiteAccess): KeyDirectory {
  return {
    findKey: keys.findKey,
    refresh: keys.refresh,
    async findSessionKey(request): Promise<Credential | undefined> {
      const named = namedSite(request);
      if (typeof named !== 'string') return undefined;
      const user = await findUser(accounts, request);
      if (user === undefined) return undefined;
      const siteId = sites.findSite(named)?.id;
      const role = siteId && (await accounts.findRole(user, siteId));
      if (siteId === undefined || !role) throw noAccess();
      return { id: user.id, userId: user.id, siteId, scopes: SCOPES_BY_ROLE[role] };
    },
  };
}

/** A hook that requires a signed-in user, whom `check` does not refuse, and sets `request.user`. */
export function requireUser(
  accounts: KnownUsers,
  check: (user: User, request: FastifyRequest) => Promise<void> | undefined = () => undefined,
  sites: Refreshed = { refresh: async () => {} },
): onRequestHookHandler {
  return (request, _reply, done) => {
    const look = () => check(userOf(request), request);
    takeUser(accounts, request).then(() => lookTwice(sites, look, done), done);
  };
}

async function takeUser(accounts: KnownUsers, request: FastifyRequest): Promise<void> {
  const user = await findUser(accounts, request);
  if (user === undefined && request.headers.authorization !== undefined) {
    throw new RefusedRequest('forbidden', 'Keys cannot do this. Only a signed-in user can.');
  }
  if (user === undefined) throw new RefusedRequest('unauthorized', 'Sign in first.');
  request.user = user;
}

/** A hook that requires at least this role on the site in the path's `:id`. */
export function requireRole({ accounts, sites }: SiteAccess, atLeast: Role): onRequestHookHandler {
  const check = async (user: User, { params }: FastifyRequest) => {
    const { id = '' } = params as { readonly id?: string };
    const site = sites.findSite(id);
    const role = site && (await accounts.findRole(user, site.id));
    if (role === undefined) throw noAccess();
    if (ROLES.indexOf(role) <= ROLES.indexOf(atLeast)) return;
    const article = atLeast === 'viewer' ? 'a' : 'an';
    throw new RefusedRequest('forbidden', `Only ${article} ${atLeast} of the site may do this.`);
  };
  return requireUser(accounts, check, sites);
}

/** A hook that requires the owner of the server. */
export function requireOwner(accounts: KnownUsers): onRequestHookHandler {
  return requireUser(accounts, ({ isOwner }) => {
    if (isOwner) return undefined;
    throw new RefusedRequest('forbidden', 'Only the owner of the server may do this.');
  });
}

/** The user that the hook required. Throws if the route has no such hook, which is a bug. */
export function userOf(request: { readonly user: User | null }): User {
  if (request.user === null) throw new Error('the route has no hook that requires a user');
  return request.user;
}

/** Lets requests have a user, and limits what each writes in their sessions, whichever route it is. */
export function openToUsers(server: Server): void {
  server.decorateRequest('user', null);
  const limit = createRateLimit(300, 60_000, 'A user may make 300 changes a minute.');
  server.addHook('preValidation', (request, _reply, done) => {
    const id = request.user?.id ?? request.apiKey?.userId;
    const refused = id && !isRead(request) && limit?.({ apiKey: { id }, ip: '' }).refused;
    if (refused) throw refused;
    done();
  });
}

/** A hook that refuses requests from pages of other origins. */
export function requireOwnOrigin(accounts: KnownUsers): onRequestHookHandler {
  return (request, _reply, done) => {
    if (isOwnOrigin(accounts, request)) return done();
    throw new RefusedRequest('forbidden', 'Requests from pages of other sites are refused.');
  };
}

/** The refusal for people without a role on a site. It does not reveal whether the site exists. */
export function noAccess(): RefusedRequest {
  return new RefusedRequest('forbidden', 'You do not have access to this site.');
}

/** The site of a path. Throws if it has just been removed. */
export function siteOfPath(sites: KnownSites, { id }: { readonly id: string }): Site {
  const site = sites.findSite(id);
  if (site === undefined) throw noAccess();
  return site;
}

/** The signed-in user. Ignores the cookie if a page of another origin sent the request. */
export async function findUser(
  accounts: KnownUsers,
  request: FromBrowser,
): Promise<User | undefined> {
  const { cookie } = request.headers;
  if (cookie === undefined || !isOwnOrigin(accounts, request)) return undefined;
  return accounts.findUser(cookie);
}

type FromBrowser = Pick<FastifyRequest, 'headers' | 'host'>;

/** Browsers name the origin of a request; a request without one does not come from a page. */
function isOwnOrigin(accounts: KnownUsers, { headers, host }: FromBrowser): boolean {
  const { origin, 'sec-fetch-site': from = 'same-origin' } = headers;
  if (from !== 'same-origin' && from !== 'none') return false;
  return origin === undefined || origin === accounts.origin || URL.parse(origin)?.host === host;
}

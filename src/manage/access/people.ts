import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Accounts } from '#accounts/open-accounts.ts';
import type { Person } from '#accounts/person.ts';
import { ROLES, type Role } from '#domain/site/role.ts';
import { SCOPES, type Scope } from '#domain/site/scope.ts';
import type { Site } from '#domain/site/site.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import {
  type ApiKey,
  type KeyDirectory,
  lookUp,
  type Refreshed,
} from '#server/requests/authenticate.ts';
import { isRead } from '#server/requests/is-read.ts';
import { createRateLimit } from '#server/requests/rate-limit.ts';
import type { Server } from '#server/server-type.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person, on routes that require one. */
    person: Person | null;
  }
}

/** Sites in memory, at most a second old. */
export interface KnownSites extends Refreshed {
  findSite(idOrDomain: string): Site | undefined;
}

/** What finds the person of a session. */
export type KnownPeople = Pick<Accounts, 'origin' | 'findPerson'>;

/** What tells who may do what on which site, records it, and `More` of the accounts. */
export type SiteAccess<More extends keyof Accounts = never> = {
  readonly accounts: KnownPeople & Pick<Accounts, 'findRole' | 'audit' | More>;
  readonly sites: KnownSites;
};

/** The header that names the site of a request with a session. Pages of other origins cannot send it. */
const SITE_HEADER = 'x-site-id';

const READING: readonly Scope[] = ['stats:read', 'visitors:read'];

/** The scopes that a session has on its site. */
const SCOPES_BY_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  admin: SCOPES,
  viewer: READING,
};

/** Extends a key directory with sessions, which act as keys for the site that a request names. */
export function withSessions(keys: KeyDirectory, { accounts, sites }: SiteAccess): KeyDirectory {
  return {
    findKey: keys.findKey,
    refresh: keys.refresh,
    async findSessionKey(request): Promise<ApiKey | undefined> {
      const named = request.headers[SITE_HEADER];
      if (typeof named !== 'string') return undefined;
      const person = await findPerson(accounts, request);
      if (person === undefined) return undefined;
      const siteId = sites.findSite(named)?.id;
      const role = siteId && (await accounts.findRole(person, siteId));
      if (siteId === undefined || !role) throw noAccess();
      return { id: person.id, personId: person.id, siteId, scopes: SCOPES_BY_ROLE[role] };
    },
  };
}

/** A hook that requires a signed-in person, whom `check` does not refuse, and sets `request.person`. */
export function requirePerson(
  accounts: KnownPeople,
  check: (person: Person, request: FastifyRequest) => Promise<void> | undefined = () => undefined,
  sites: Refreshed = { refresh: async () => {} },
): onRequestHookHandler {
  return (request, _reply, done) => {
    const look = () => check(personOf(request), request);
    takePerson(accounts, request).then(() => lookUp(sites, look, done), done);
  };
}

async function takePerson(accounts: KnownPeople, request: FastifyRequest): Promise<void> {
  const person = await findPerson(accounts, request);
  if (person === undefined && request.headers.authorization !== undefined) {
    throw new RefusedRequest('forbidden', 'Keys cannot do this. It takes a signed-in person.');
  }
  if (person === undefined) throw new RefusedRequest('unauthorized', 'Sign in first.');
  request.person = person;
}

/** A hook that requires at least this role on the site in the path's `:id`. */
export function requireRole({ accounts, sites }: SiteAccess, atLeast: Role): onRequestHookHandler {
  const check = async (person: Person, { params }: FastifyRequest) => {
    const { id = '' } = params as { readonly id?: string };
    const site = sites.findSite(id);
    const role = site && (await accounts.findRole(person, site.id));
    if (role === undefined) throw noAccess();
    if (ROLES.indexOf(role) <= ROLES.indexOf(atLeast)) return;
    const article = atLeast === 'viewer' ? 'a' : 'an';
    throw new RefusedRequest('forbidden', `Only ${article} ${atLeast} of the site may do this.`);
  };
  return requirePerson(accounts, check, sites);
}

/** A hook that requires the owner of the server. */
export function requireOwner(accounts: KnownPeople): onRequestHookHandler {
  return requirePerson(accounts, ({ isOwner }) => {
    if (isOwner) return undefined;
    throw new RefusedRequest('forbidden', 'Only the owner of the server may do this.');
  });
}

/** The person that the hook required. Throws if the route has no such hook, which is a bug. */
export function personOf(request: { readonly person: Person | null }): Person {
  if (request.person === null) throw new Error('the route has no hook that requires a person');
  return request.person;
}

/** Lets requests have a person, and limits what each writes in their sessions, whichever route it is. */
export function openToPeople(server: Server): void {
  server.decorateRequest('person', null);
  const limit = createRateLimit(300, 60_000, 'A person may make 300 changes a minute.');
  server.addHook('preValidation', (request, _reply, done) => {
    const id = request.person?.id ?? request.apiKey?.personId;
    const refused = id && !isRead(request) && limit?.({ apiKey: { id }, ip: '' }).refused;
    if (refused) throw refused;
    done();
  });
}

/** A hook that refuses requests from pages of other origins. */
export function requireOwnOrigin(accounts: KnownPeople): onRequestHookHandler {
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

/** The signed-in person. Ignores the cookie if a page of another origin sent the request. */
export async function findPerson(
  accounts: KnownPeople,
  request: FromBrowser,
): Promise<Person | undefined> {
  const { cookie } = request.headers;
  if (cookie === undefined || !isOwnOrigin(accounts, request)) return undefined;
  return accounts.findPerson(cookie);
}

type FromBrowser = Pick<FastifyRequest, 'headers' | 'host'>;

/** Browsers name the origin of a request; a request without one does not come from a page. */
function isOwnOrigin(accounts: KnownPeople, { headers, host }: FromBrowser): boolean {
  const { origin, 'sec-fetch-site': from = 'same-origin' } = headers;
  if (from !== 'same-origin' && from !== 'none') return false;
  return origin === undefined || origin === accounts.origin || URL.parse(origin)?.host === host;
}

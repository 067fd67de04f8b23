import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Accounts } from '#accounts/open-accounts.ts';
import { type Person, ROLES, type Role } from '#accounts/person.ts';
import { SCOPES, type Scope } from '#contract/scope.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { RefusedRequest } from '../answers/errors.ts';
import type { ApiKey, KeyDirectory } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, where a route asks for it. */
    person: Person | null;
  }
}

/** The header that names the site of a request with a session. Pages of other sites cannot send it. */
const SITE_HEADER = 'x-site-id';

const READING: readonly Scope[] = ['stats:read', 'visitors:read'];

/** What a session may do on its site, as scopes of a key. */
const SCOPES_BY_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  admin: SCOPES,
  viewer: READING,
};

/** A directory that knows sessions beside keys: on the site that a request names, one is like a key. */
export function withSessions(
  keys: KeyDirectory,
  accounts: Accounts,
  sites: SiteDirectory,
): KeyDirectory {
  return {
    findKey: keys.findKey,
    findSessionKey(request): ApiKey | undefined {
      const named = request.headers[SITE_HEADER];
      if (typeof named !== 'string') return undefined;
      const person = findPerson(accounts, request);
      if (person === undefined) return undefined;
      const siteId = sites.findSite(named)?.id;
      const role = siteId && accounts.findRole(person, siteId);
      if (siteId === undefined || !role) throw ofNobodyHere();
      return { id: person.id, siteId, scopes: SCOPES_BY_ROLE[role] };
    },
  };
}

/** A hook that lets only people pass who are signed in, and leaves them at the request. */
export function requirePerson(accounts: Accounts): onRequestHookHandler {
  return (request, _reply, done) => {
    const person = findPerson(accounts, request);
    if (person === undefined) throw new RefusedRequest('unauthorized', 'Sign in first.');
    request.person = person;
    done();
  };
}

/** A hook that lets only people pass who are that at least on the site of the path's `:id`. */
export function requireRole(
  { accounts, sites }: { readonly accounts: Accounts; readonly sites: SiteDirectory },
  atLeast: Role,
): onRequestHookHandler {
  const requireSomebody = requirePerson(accounts);
  return function require(request, reply, done) {
    requireSomebody.call(this, request, reply, () => {
      const { id = '' } = request.params as { readonly id?: string };
      const site = sites.findSite(id);
      const role = site && accounts.findRole(personOf(request), site.id);
      if (role === undefined) throw ofNobodyHere();
      if (ROLES.indexOf(role) > ROLES.indexOf(atLeast)) {
        const article = atLeast === 'viewer' ? 'a' : 'an';
        throw new RefusedRequest(
          'forbidden',
          `Only ${article} ${atLeast} of the site may do this.`,
        );
      }
      done();
    });
  };
}

/** The person that a hook let pass. Throws when there was no such hook: a bug. */
export function personOf(request: { readonly person: Person | null }): Person {
  if (request.person === null) throw new Error('the route has no hook that requires a person');
  return request.person;
}

/** A hook that refuses what a page of another site sends. */
export function requireOwnOrigin(accounts: Accounts): onRequestHookHandler {
  return (request, _reply, done) => {
    if (isOwnOrigin(accounts, request)) return done();
    throw new RefusedRequest('forbidden', 'Only pages of this server may send this.');
  };
}

/** What is asked of a site by somebody who has nothing to do with it: it could as well not be there. */
export function ofNobodyHere(): RefusedRequest {
  return new RefusedRequest('forbidden', 'This is no site of yours.');
}

/** Nobody, where a page of another site sends the cookie along. */
export function findPerson(accounts: Accounts, request: FromBrowser): Person | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || !isOwnOrigin(accounts, request)) return undefined;
  return accounts.findPerson(cookie);
}

type FromBrowser = Pick<FastifyRequest, 'headers' | 'host'>;

/** Browsers name where a request comes from; what names nothing is no page. */
function isOwnOrigin(accounts: Accounts, { headers, host }: FromBrowser): boolean {
  const { origin, 'sec-fetch-site': from = 'same-origin' } = headers;
  if (from !== 'same-origin' && from !== 'none') return false;
  return origin === undefined || origin === accounts.origin || URL.parse(origin)?.host === host;
}

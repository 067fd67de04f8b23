import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Share } from '#accounts/shares.ts';
import type { Scope } from '#contract/scope.ts';
import { RefusedRequest } from '../answers/errors.ts';

/** A key as the doors see it. */
export type ApiKey = {
  readonly id: string;
  readonly siteId: string;
  readonly scopes: readonly string[];
  /** What a shared link shows, when it stands in place of a key. */
  readonly share?: Share;
};

/** Knows the keys that are valid now: neither revoked nor expired. */
export interface KeyDirectory {
  findKey(token: string): ApiKey | undefined;
  /** What the session of a request without a key may do, as if it were one. Refuses a foreign site. */
  findSessionKey?(request: SessionRequest): ApiKey | undefined;
}

/** What of a request shows a session or a shared link. */
export type SessionRequest = Pick<FastifyRequest, 'headers' | 'host' | 'ip'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's key; null where a route needs none and none came. */
    apiKey: ApiKey | null;
  }
}

/**
 * A hook that lets only keys with the scope pass, and leaves the key at the request. Where a route needs
 * none, one that comes must be valid all the same. Shared links pass only where a route is for them: it
 * must see to what they show.
 */
export function requireKey(
  keys: KeyDirectory,
  scope: Scope,
  { isOptional = false, isForShares = false } = {},
): onRequestHookHandler {
  return (request, _reply, done) => {
    const { authorization } = request.headers;
    const isNeeded = authorization !== undefined || !isOptional;
    if (isNeeded) request.apiKey = authenticateRequest(keys, request, scope, isForShares);
    done();
  };
}

/** The key of a request, or what its session stands for, with the scope. Refuses as `authenticate` does. */
export function authenticateRequest(
  keys: KeyDirectory,
  request: SessionRequest,
  scope: Scope,
  isForShares = false,
): ApiKey {
  const { authorization } = request.headers;
  const session = authorization === undefined ? keys.findSessionKey?.(request) : undefined;
  if (session === undefined) return authenticate(keys, authorization, scope);
  if (session.share !== undefined && isForShares) return session;
  if (session.share !== undefined) {
    throw new RefusedRequest('forbidden', 'A shared link does not show this.');
  }
  if (session.scopes.includes(scope)) return session;
  throw new RefusedRequest('forbidden', `Your role on this site lacks the scope ${scope}.`);
}

/** Whether that refuses not, and the stores can be read. */
export function isAllowed(...asked: Parameters<typeof authenticateRequest>): boolean {
  try {
    return authenticateRequest(...asked) !== undefined;
  } catch {
    return false;
  }
}

/** The key that a hook let pass. Throws when there was no such hook: a bug. */
export function keyOf(request: { readonly apiKey: ApiKey | null }): ApiKey {
  if (request.apiKey === null) throw new Error('the route has no hook that requires a key');
  return request.apiKey;
}

/**
 * The key of an `Authorization` header, with the scope.
 *
 * - Refuses with one message for every kind of bad key: the answer must not show which exist.
 */
export function authenticate(
  keys: KeyDirectory,
  authorization: string | undefined,
  scope: Scope,
): ApiKey {
  const token = findToken(authorization);
  const key = token === undefined ? undefined : keys.findKey(token);
  if (key === undefined) throw unauthorized();
  if (!key.scopes.includes(scope)) {
    throw new RefusedRequest('forbidden', `The key lacks the scope ${scope}.`);
  }
  return key;
}

/** The same, but `undefined` where that refuses, and where the ledger cannot be read. */
export function findValidKey(...asked: Parameters<typeof authenticate>): ApiKey | undefined {
  try {
    return authenticate(...asked);
  } catch {
    return undefined;
  }
}

/**
 * The name of the scheme is written in any case, and one or more blanks follow.
 *
 * - Source: RFC 9110, section 11.
 */
function findToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const isUsual = authorization.startsWith('Bearer ') && authorization[7] !== ' ';
  if (isUsual) return authorization.slice('Bearer '.length);
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}

function unauthorized(): RefusedRequest {
  return new RefusedRequest(
    'unauthorized',
    'A valid API key is required: Authorization: Bearer trib_…',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}

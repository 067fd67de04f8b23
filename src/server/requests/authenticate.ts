import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { type KeyScope, METRICS_SCOPE } from '#domain/site/scope.ts';
import { RefusedRequest } from '../errors/errors.ts';

/** The part of a site that a shared link shows. */
export type SharedPart = {
  readonly panels: readonly string[];
  readonly hasRevenue: boolean;
  readonly filters: readonly (readonly unknown[])[];
};

/** An API key, or a session or shared link that acts as one. */
export type Credential = {
  readonly id: string;
  readonly siteId: string;
  readonly scopes: readonly string[];
  /** The shared link, or the user of the session, if one takes the place of a key. */
  readonly share?: SharedPart;
  readonly userId?: string;
};

/** Sites or keys in memory, which may lack what was added within the last second. */
export type Refreshed = { refresh(): Promise<void> };

/**
 * Runs a hook's look-up, which returns a promise if it asks a store. One that is refused runs once more on fresh sites
 * and keys, as what it misses may have just been added.
 */
export function lookTwice(
  directory: Refreshed,
  look: () => Promise<void> | undefined,
  done: (error?: Error) => void,
): void {
  const lookAgain = async (error: unknown) => {
    if (!(error instanceof RefusedRequest)) throw error;
    await directory.refresh();
    await look();
  };
  let looking: Promise<void> | undefined;
  try {
    looking = look();
  } catch (error) {
    looking = Promise.reject(error);
  }
  if (looking === undefined) done();
  else looking.catch(lookAgain).then(() => done(), done);
}

/** Finds valid keys: neither revoked nor expired. */
export interface KeyDirectory extends Refreshed {
  findKey(token: string): Credential | undefined;
  /** The session or shared link of a request without a key, as a key. Refuses a foreign site. */
  findSessionKey?(request: SessionRequest): Promise<Credential | undefined>;
}

/** The parts of a request that identify a session or a shared link. */
export type SessionRequest = Pick<FastifyRequest, 'headers' | 'host' | 'ip' | 'method' | 'query'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's key; null if the route needs none and none was sent. */
    apiKey: Credential | null;
  }
}

/**
 * A hook that requires a key with the scope and sets `request.apiKey`. If the key is optional, one
 * that is sent must still be valid. Shared links pass only with `isForShares`; such a route must
 * limit what they show.
 */
export function requireKey(
  keys: KeyDirectory,
  scope: KeyScope,
  { isOptional = false, isForShares = false } = {},
): onRequestHookHandler {
  return (request, _reply, done) => {
    const { authorization } = request.headers;
    if (authorization === undefined && isOptional) return done();
    /** With a key, nobody waits for a store: most requests are such ones. */
    const look = () => {
      if (authorization === undefined) {
        return authenticateRequest(keys, request, scope, isForShares).then((key) => {
          request.apiKey = key;
        });
      }
      request.apiKey = authenticate(keys, authorization, scope);
      return undefined;
    };
    lookTwice(keys, look, done);
  };
}

/** Returns the key or session of a request, if it has the scope. Refuses as `authenticate` does. */
async function authenticateRequest(
  keys: KeyDirectory,
  request: SessionRequest,
  scope: KeyScope,
  isForShares = false,
): Promise<Credential> {
  const { authorization } = request.headers;
  const session = authorization === undefined ? await keys.findSessionKey?.(request) : undefined;
  if (session === undefined) return authenticate(keys, authorization, scope);
  if (session.share !== undefined && isForShares) return session;
  if (session.share !== undefined) {
    throw new RefusedRequest('forbidden', 'Shared links do not show this.');
  }
  if (session.scopes.includes(scope)) return session;
  throw new RefusedRequest('forbidden', `Your role on this site lacks the scope ${scope}.`);
}

/** Whether `authenticateRequest` succeeds. False also while the stores cannot be read. */
export async function isAllowed(
  ...asked: Parameters<typeof authenticateRequest>
): Promise<boolean> {
  try {
    return (await authenticateRequest(...asked)) !== undefined;
  } catch {
    return false;
  }
}

/** The key that the hook required. Throws if the route has no such hook, which is a bug. */
export function keyOf(request: { readonly apiKey: Credential | null }): Credential {
  if (request.apiKey === null) throw new Error('the route has no hook that requires a key');
  return request.apiKey;
}

/**
 * Returns the key of an `Authorization` header, if it has the scope.
 *
 * - Refuses every invalid key with the same message, which must not reveal which keys exist.
 */
export function authenticate(
  keys: KeyDirectory,
  authorization: string | undefined,
  scope: KeyScope,
): Credential {
  const token = findToken(authorization);
  const key = token === undefined ? undefined : keys.findKey(token);
  if (key === undefined) throw unauthorized();
  if (!key.scopes.includes(scope)) {
    const advice =
      scope === METRICS_SCOPE ? ' Make one with `tributary key create --metrics`.' : '';
    throw new RefusedRequest('forbidden', `The key lacks the scope ${scope}.${advice}`);
  }
  return key;
}

/** As `authenticate`, but returns `undefined` instead of refusing, and while the ledger cannot be read. */
export function findValidKey(...asked: Parameters<typeof authenticate>): Credential | undefined {
  try {
    return authenticate(...asked);
  } catch {
    return undefined;
  }
}

/**
 * The scheme's name is case-insensitive and followed by one or more spaces.
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

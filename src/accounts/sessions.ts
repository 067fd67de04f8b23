import type { DatabaseSync } from 'node:sqlite';
import { type CookieOptions, isSigned, readCookie, toCookieName } from './cookies.ts';
import { type Person, toPerson } from './person.ts';

/** A session that is used is extended, but not at each request. */
export const EXTENDED_AFTER_MS = 86_400_000;

/** Finds who is signed in. */
export interface Sessions {
  /** Whose session the cookie of a request is, if it is one that is valid now. */
  findPerson(cookie: string | undefined): Person | undefined;
}

/**
 * Reads sessions as better-auth writes them: a token in a signed cookie, and a row of it.
 *
 * - Why not through better-auth: it takes half a second and fifty megabytes to load, answers later,
 *   and every request of the dashboard comes through here.
 */
export function createSessions(
  db: DatabaseSync,
  options: CookieOptions & { readonly now: () => number },
): Sessions {
  const name = toCookieName('session_token', options);
  const find = db.prepare(`
    SELECT "user".*, "session"."id" AS session_id, "session"."updatedAt" <= ? AS is_session_due
    FROM "session" JOIN "user" ON "user"."id" = "session"."userId"
    WHERE "session"."token" = ? AND "session"."expiresAt" > ?`);
  return {
    findPerson(cookie) {
      const token = readToken(readCookie(cookie, name), options.secret);
      if (token === undefined) return undefined;
      const due = new Date(options.now() - EXTENDED_AFTER_MS).toISOString();
      const row = find.get(due, token, new Date(options.now()).toISOString());
      return row && toPerson(row);
    },
  };
}

/** The token of a signed cookie: `TOKEN.SIGNATURE`, the signature in base64 and all of it encoded. */
function readToken(value: string | undefined, secret: string): string | undefined {
  const text = decode(value ?? '');
  const dot = text.lastIndexOf('.');
  const token = text.slice(0, Math.max(0, dot));
  return dot > 0 && isSigned(token, text.slice(dot + 1), secret) ? token : undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

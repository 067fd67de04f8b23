import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Person, toPerson } from './person.ts';

/** Finds who is signed in. */
export interface Sessions {
  /** Whose session the cookie of a request is, if it is one that is valid now. */
  findPerson(cookie: string | undefined): Person | undefined;
}

/** The start of the cookies' names, and what browsers ask for behind https. */
export const COOKIE_PREFIX = 'tributary';
const SECURE_PREFIX = '__Secure-';

/** The name of the cookie of a session. */
function toCookieName({ isSecure }: { readonly isSecure: boolean }): string {
  return `${isSecure ? SECURE_PREFIX : ''}${COOKIE_PREFIX}.session_token`;
}

/**
 * Reads sessions as better-auth writes them: a token in a signed cookie, and a row of it.
 *
 * - Why not through better-auth: it takes half a second and fifty megabytes to load, answers later,
 *   and every request of the dashboard comes through here.
 */
export function createSessions(
  db: DatabaseSync,
  options: { readonly secret: string; readonly isSecure: boolean; readonly now: () => number },
): Sessions {
  const name = toCookieName(options);
  const find = db.prepare(`
    SELECT "user".*, "session"."id" AS session_id, "session"."createdAt" AS session_created
    FROM "session" JOIN "user" ON "user"."id" = "session"."userId"
    WHERE "session"."token" = ? AND "session"."expiresAt" > ?`);
  return {
    findPerson(cookie) {
      const token = readToken(cookie, name, options.secret);
      if (token === undefined) return undefined;
      const row = find.get(token, new Date(options.now()).toISOString());
      return row && toPerson(row);
    },
  };
}

/** The token of a signed cookie: `TOKEN.SIGNATURE`, the signature in base64 and all of it encoded. */
function readToken(cookies: string | undefined, name: string, secret: string): string | undefined {
  const value = cookies
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  if (value === undefined || value.length > 500) return undefined;
  const text = decode(value);
  const dot = text.lastIndexOf('.');
  if (dot < 1) return undefined;
  const token = text.slice(0, dot);
  const signature = Buffer.from(text.slice(dot + 1), 'base64');
  const expected = createHmac('sha256', secret).update(token).digest();
  const isOurs = signature.length === expected.length && timingSafeEqual(signature, expected);
  return isOurs ? token : undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

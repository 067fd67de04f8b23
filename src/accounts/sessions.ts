import { decodePercent } from '#domain/decode-percent.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { type CookieOptions, isSigned, readCookie, toCookieName } from './cookies.ts';
import { toUser, type User } from './user.ts';

/** A session is extended at most once in this time. */
export const EXTENDED_AFTER_MS = 86_400_000;

/** Finds signed-in users. */
export interface Sessions {
  /** The user whose session a request's cookie names, if it is valid. */
  findUser(cookie: string | undefined): Promise<User | undefined>;
  /** The e-mail address of the user who has given their password, but no code yet. */
  findChallenged(cookie: string | undefined): Promise<string | undefined>;
}

/**
 * Reads sessions as better-auth writes them: a token in a signed cookie, and its row.
 *
 * - Why not through better-auth: every request of the dashboard comes through here, and better-auth is
 *   slower and takes half a second and fifty megabytes to load.
 */
export function createSessions(
  sql: Sql,
  options: CookieOptions & { readonly now: () => number },
): Sessions {
  const name = toCookieName('session_token', options);
  const challengeName = toCookieName('two_factor', options);
  return {
    async findChallenged(cookie) {
      const identifier = readToken(readCookie(cookie, challengeName), options.secret);
      if (!identifier) return undefined;
      const row = await sql.get(
        `SELECT "email" FROM "verification" JOIN "user" ON "user"."id" = "value"
         WHERE "identifier" = ?`,
        identifier,
      );
      return row && String(row.email);
    },
    async findUser(cookie) {
      const token = readToken(readCookie(cookie, name), options.secret);
      if (token === undefined) return undefined;
      const at = (ms: number) => new Date(ms).toISOString();
      const row = await sql.get(
        `SELECT "user".*, "session"."id" AS session_id, "session"."updatedAt" <= ? AS is_session_due
         FROM "session" JOIN "user" ON "user"."id" = "session"."userId"
         WHERE "session"."token" = ? AND "session"."expiresAt" > ?`,
        ...[at(options.now() - EXTENDED_AFTER_MS), token, at(options.now())],
      );
      return row && toUser(row);
    },
  };
}

/** The token of a signed cookie: `TOKEN.SIGNATURE`, URL-encoded, with the signature in base64. */
function readToken(value: string | undefined, secret: string): string | undefined {
  const text = decodePercent(value ?? '');
  const dot = text.lastIndexOf('.');
  const token = text.slice(0, Math.max(0, dot));
  return dot > 0 && isSigned(token, text.slice(dot + 1), secret) ? token : undefined;
}

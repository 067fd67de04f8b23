import type { User } from '#domain/account/user.ts';
import { decodePercent } from '#domain/decode-percent.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import { type CookieOptions, isSigned, readCookie, toCookieName } from './cookies.ts';

/** A session is extended at most once in this time. */
const EXTENDED_AFTER_MS = 86_400_000;

/**
 * Reads sessions as better-auth writes them: a token in a signed cookie, and its row.
 *
 * - Why not through better-auth: every request of the dashboard comes through here, and better-auth is
 *   slower and takes half a second and fifty megabytes to load.
 */
export function createSessions(sql: Sql, options: CookieOptions & { readonly now: () => number }) {
  const name = toCookieName('session_token', options);
  const challengeName = toCookieName('two_factor', options);
  return {
    async findChallenged(cookie: string | undefined): Promise<string | undefined> {
      const identifier = readToken(readCookie(cookie, challengeName), options.secret);
      if (!identifier) return undefined;
      const row = await sql.get(
        `SELECT "email" FROM "verification" JOIN "user" ON "user"."id" = "value"
         WHERE "identifier" = ?`,
        identifier,
      );
      return row && String(row.email);
    },
    async findUser(cookie: string | undefined): Promise<User | undefined> {
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

/** Converts a row of `user`, joined with its session. */
function toUser(row: SqlRow): User {
  return {
    id: String(row.id),
    name: String(row.name),
    email: String(row.email),
    isProved: row.emailVerified === 1,
    isOwner: row.is_owner === 1,
    twoFactor: row.twoFactorEnabled === 1,
    sessionId: String(row.session_id),
    isSessionDue: row.is_session_due === 1,
  };
}

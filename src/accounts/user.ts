import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import type { SqlRow } from '#storage/sql/sql.ts';

/** A signed-in user. */
export type User = {
  /** `user_…`, so never a key's id. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether somebody has opened a link sent to the address, or the server's owner vouches for it. */
  readonly isProved: boolean;
  /** Whether the user owns the server: has access to every site and can add sites. */
  readonly isOwner: boolean;
  readonly twoFactor: boolean;
  readonly sessionId: string;
  /** Whether the session was last extended at least a day ago. */
  readonly isSessionDue: boolean;
};

/** Converts a row of `user`, joined with its session. */
export function toUser(row: SqlRow): User {
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

/** The addresses that better-auth lets sign in: any other would be a login that nobody can use. */
const EMAIL = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** Normalizes an e-mail address for storage and comparison; `undefined` if invalid. */
export function toEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  return email.length <= 254 && EMAIL.test(email) ? email : undefined;
}

/** Normalizes a name; `undefined` if it is empty, too long or has control characters. */
export function toName(text: string): string | undefined {
  const name = text.trim();
  return /^[^\p{C}]{1,100}$/u.test(name) ? name : undefined;
}

import { normalizeEmail } from '../identity/normalize-email.ts';

/** A signed-in user. */
export type User = {
  /** `user_…`, so never a key's id. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether somebody has opened a link sent to the address, or the server's owner confirmed it. */
  readonly isProved: boolean;
  /** Whether the user owns the server: has access to every site and can add sites. */
  readonly isOwner: boolean;
  readonly twoFactor: boolean;
  readonly sessionId: string;
  /** Whether the session was last extended at least a day ago. */
  readonly isSessionDue: boolean;
};

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

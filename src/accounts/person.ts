import type { SQLOutputValue } from 'node:sqlite';

/** Somebody who is signed in. */
export type Person = {
  /** `user_…`: never that of a key. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether the whole installation is theirs: every site, and who may add some. */
  readonly isOwner: boolean;
  readonly twoFactor: boolean;
  readonly sessionId: string;
  /** Whether the session was last extended a day ago or more. */
  readonly isSessionDue: boolean;
};

/** What somebody can be on a site, the most first. */
export const ROLES = ['owner', 'admin', 'viewer'] as const;

/** What somebody is on a site. */
export type Role = (typeof ROLES)[number];

/** A row of `user`, with its session's id and whether that is to be extended. */
export function toPerson(row: Record<string, SQLOutputValue>): Person {
  return {
    id: String(row.id),
    name: String(row.name),
    email: String(row.email),
    isOwner: row.is_owner === 1,
    twoFactor: row.twoFactorEnabled === 1,
    sessionId: String(row.session_id),
    isSessionDue: row.is_session_due === 1,
  };
}

/** An address as it is stored and compared; `undefined` for what is none. */
export function toEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) ? email : undefined;
}

/** A name as it is stored; `undefined` for an empty one, a long one, or one with control characters. */
export function toName(text: string): string | undefined {
  const name = text.trim();
  return /^[^\p{C}]{1,100}$/u.test(name) ? name : undefined;
}

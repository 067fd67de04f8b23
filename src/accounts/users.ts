import { hash as digest, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { newToken } from './links.ts';

/** A user to create, with the hash of the password. */
export type NewUser = {
  readonly name: string;
  readonly email: string;
  readonly hash: string;
  readonly isOwner: boolean;
};

/** The users, in better-auth's tables. Writes belong in the caller's transaction. */
export interface Users {
  hasOwner(): boolean;
  /** The id of the user with the address. */
  findId(email: string): string | undefined;
  findEmail(userId: string): string | undefined;
  /** Adds a user and returns the id. An owner's address counts as proved: who runs the server gave it. */
  add(user: NewUser): string;
  setName(userId: string, name: string): void;
  /** Sets an address that was proved, and ends reset links to the one before. Throws if another user has it. */
  setEmail(userId: string, email: string): void;
  /** Keeps a new address, in place of an earlier one, and returns the token of the link that is to prove it. */
  askForEmail(userId: string, email: string): string;
  /** The new address that waits for its link to be opened; with a token, only if it is that of the link. */
  findAskedEmail(userId: string, token?: string): string | undefined;
  /** The hash of the password; undefined for a user who signs in with an identity provider only. */
  findHash(userId: string): string | undefined;
  /** Sets the password, and ends all of before. */
  setPassword(userId: string, hash: string): void;
  /**
   * Ends what was opened or asked for before: sessions except the one with the token, browsers that need no code,
   * challenges, reset links and a new address that waits for its link.
   */
  endAllBefore(userId: string, sessionToken?: string): void;
  /** Turns off two-factor authentication. */
  dropSecondFactor(userId: string): void;
  /** Uses up a code of the user's authenticator app. Returns false if it was used before. */
  spendCode(userId: string, code: string): boolean;
  /** Removes a user with all sessions and roles. Returns false if unknown, or an owner of the server. */
  remove(email: string): boolean;
}

/** How long the link to a new address is valid. */
const ASKED_LIFETIME_MS = 3_600_000;
/** Begins the identifier of a new address, among better-auth's own values that wait to be verified. */
const ASKED = 'new e-mail';

/** Longer than any code is valid: its own thirty seconds, and those before and after. */
const CODE_LIFETIME_MS = 120_000;

/** Creates the users in the accounts database. */
export function createUsers(db: DatabaseSync, now: () => number): Users {
  const countOwners = db.prepare('SELECT count(*) AS n FROM "user" WHERE is_owner = 1');
  const find = db.prepare('SELECT "id" FROM "user" WHERE "email" = ?');
  const findEmail = db.prepare('SELECT "email" FROM "user" WHERE "id" = ?');
  const insert = db.prepare(`
    INSERT INTO "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "is_owner")
    VALUES (?1, ?2, ?3, ?5, ?4, ?4, ?5)`);
  const insertPassword = db.prepare(`
    INSERT INTO "account"
      ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
    VALUES (?1, ?2, 'credential', ?2, ?3, ?4, ?4)`);
  const setName = db.prepare('UPDATE "user" SET "name" = ?, "updatedAt" = ? WHERE "id" = ?');
  const setEmail = db.prepare(
    'UPDATE "user" SET "email" = ?, "emailVerified" = 1, "updatedAt" = ? WHERE "id" = ?',
  );
  const ask = db.prepare(`
    INSERT INTO "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
    VALUES (?, ?, ?, ?, ?5, ?5)`);
  const ofAsked = `"value" = ? AND "identifier" GLOB '${ASKED} *'`;
  const findAsked = db.prepare(
    `SELECT "identifier" FROM "verification" WHERE ${ofAsked} AND "expiresAt" > ?`,
  );
  const removeAsked = db.prepare(`DELETE FROM "verification" WHERE ${ofAsked}`);
  const findHash = db.prepare(
    `SELECT "password" FROM "account" WHERE "userId" = ? AND "providerId" = 'credential'`,
  );
  const removePassword = db.prepare(
    `DELETE FROM "account" WHERE "userId" = ? AND "providerId" = 'credential'`,
  );
  const removeSessions = db.prepare('DELETE FROM "session" WHERE "userId" = ? AND "token" <> ?');
  const removeWaiting = db.prepare('DELETE FROM "verification" WHERE "value" = ?');
  const removeResets = db.prepare(`
    DELETE FROM links WHERE kind = 'reset' AND email = (SELECT "email" FROM "user" WHERE "id" = ?)`);
  const removeFactors = db.prepare('DELETE FROM "twoFactor" WHERE "userId" = ?');
  const forgetFactor = db.prepare('UPDATE "user" SET "twoFactorEnabled" = 0 WHERE "id" = ?');
  const remove = db.prepare('DELETE FROM "user" WHERE "email" = ? AND is_owner = 0');
  const spendCode = db.prepare(`
    INSERT OR IGNORE INTO used_codes (factor_id, code, used_at)
    SELECT "id", ?, ? FROM "twoFactor" WHERE "userId" = ?`);
  const forgetCodes = db.prepare('DELETE FROM used_codes WHERE used_at < ?');
  const at = (fromNowMs = 0) => new Date(now() + fromNowMs).toISOString();
  const endAllBefore: Users['endAllBefore'] = (userId, sessionToken = '') => {
    removeSessions.run(userId, sessionToken);
    removeWaiting.run(userId);
    removeResets.run(userId);
  };

  const setPassword: Users['setPassword'] = (userId, hash) => {
    removePassword.run(userId);
    insertPassword.run(randomUUID(), userId, hash, at());
    endAllBefore(userId);
  };

  return {
    hasOwner: () => Number(countOwners.get()?.n) > 0,
    findId(email) {
      const id = find.get(email)?.id;
      return id === undefined ? undefined : String(id);
    },
    findEmail: (userId) => findEmail.get(userId)?.email as string | undefined,
    add({ name, email, hash, isOwner }) {
      const id = newUserId();
      insert.run(id, name, email, at(), isOwner ? 1 : 0);
      setPassword(id, hash);
      return id;
    },
    setName(userId, name) {
      setName.run(name, at(), userId);
    },
    setEmail(userId, email) {
      removeResets.run(userId);
      removeAsked.run(userId);
      setEmail.run(email, at(), userId);
    },
    askForEmail(userId, email) {
      const token = newToken();
      const identifier = `${ASKED} ${email} ${digest('sha256', token)}`;
      removeAsked.run(userId);
      ask.run(randomUUID(), identifier, userId, at(ASKED_LIFETIME_MS), at());
      return token;
    },
    findAskedEmail(userId, token) {
      const [email, sha256] = String(findAsked.get(userId, at())?.identifier ?? '')
        .slice(ASKED.length + 1)
        .split(' ');
      return token === undefined || digest('sha256', token) === sha256
        ? email || undefined
        : undefined;
    },
    findHash: (userId) => findHash.get(userId)?.password as string | undefined,
    setPassword,
    endAllBefore,
    dropSecondFactor(userId) {
      removeFactors.run(userId);
      forgetFactor.run(userId);
    },
    spendCode(userId, code) {
      forgetCodes.run(now() - CODE_LIFETIME_MS);
      return spendCode.run(code, now(), userId).changes === 1;
    },
    remove: (email) => remove.run(email).changes === 1,
  };
}

/** `user_` and a random id, so that it never equals a key's id. */
export function newUserId(): string {
  return `user_${randomUUID()}`;
}

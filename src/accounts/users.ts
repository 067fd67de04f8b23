import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { newUserId } from './logins.ts';

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
  /** Adds a user and returns the id. */
  add(user: NewUser): string;
  setName(userId: string, name: string): void;
  /** Throws if another user has the address. */
  setEmail(userId: string, email: string): void;
  /** The hash of the password; undefined for a user who signs in with an identity provider only. */
  findHash(userId: string): string | undefined;
  /** Sets the password, and ends all sessions. */
  setPassword(userId: string, hash: string): void;
  /** Turns off two-factor authentication. */
  dropSecondFactor(userId: string): void;
  /** Uses up a code of the user's authenticator app. Returns false if it was used before. */
  spendCode(userId: string, code: string): boolean;
  /** Removes a user with all sessions and roles. Returns false if unknown, or an owner of the server. */
  remove(email: string): boolean;
}

/** Longer than any code is valid: its own thirty seconds, and those before and after. */
const CODE_LIFETIME_MS = 120_000;

/** Creates the users in the accounts database. */
export function createUsers(db: DatabaseSync, now: () => number): Users {
  const countOwners = db.prepare('SELECT count(*) AS n FROM "user" WHERE is_owner = 1');
  const find = db.prepare('SELECT "id" FROM "user" WHERE "email" = ?');
  const findEmail = db.prepare('SELECT "email" FROM "user" WHERE "id" = ?');
  const insert = db.prepare(`
    INSERT INTO "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "is_owner")
    VALUES (?, ?, ?, 1, ?, ?, ?)`);
  const insertPassword = db.prepare(`
    INSERT INTO "account"
      ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
    VALUES (?, ?, 'credential', ?, ?, ?, ?)`);
  const setName = db.prepare('UPDATE "user" SET "name" = ?, "updatedAt" = ? WHERE "id" = ?');
  const setEmail = db.prepare('UPDATE "user" SET "email" = ?, "updatedAt" = ? WHERE "id" = ?');
  const findHash = db.prepare(
    `SELECT "password" FROM "account" WHERE "userId" = ? AND "providerId" = 'credential'`,
  );
  const removePassword = db.prepare(
    `DELETE FROM "account" WHERE "userId" = ? AND "providerId" = 'credential'`,
  );
  const removeSessions = db.prepare('DELETE FROM "session" WHERE "userId" = ?');
  const removeFactors = db.prepare('DELETE FROM "twoFactor" WHERE "userId" = ?');
  const forgetFactor = db.prepare('UPDATE "user" SET "twoFactorEnabled" = 0 WHERE "id" = ?');
  const remove = db.prepare('DELETE FROM "user" WHERE "email" = ? AND is_owner = 0');
  const spendCode = db.prepare(`
    INSERT OR IGNORE INTO used_codes (factor_id, code, used_at)
    SELECT "id", ?, ? FROM "twoFactor" WHERE "userId" = ?`);
  const forgetCodes = db.prepare('DELETE FROM used_codes WHERE used_at < ?');
  const at = () => new Date(now()).toISOString();

  return {
    hasOwner: () => Number(countOwners.get()?.n) > 0,
    findId(email) {
      const id = find.get(email)?.id;
      return id === undefined ? undefined : String(id);
    },
    findEmail: (userId) => findEmail.get(userId)?.email as string | undefined,
    add({ name, email, hash, isOwner }) {
      const id = newUserId();
      insert.run(id, name, email, at(), at(), isOwner ? 1 : 0);
      insertPassword.run(randomUUID(), id, id, hash, at(), at());
      return id;
    },
    setName(userId, name) {
      setName.run(name, at(), userId);
    },
    setEmail(userId, email) {
      setEmail.run(email, at(), userId);
    },
    findHash: (userId) => findHash.get(userId)?.password as string | undefined,
    setPassword(userId, hash) {
      removePassword.run(userId);
      insertPassword.run(randomUUID(), userId, userId, hash, at(), at());
      removeSessions.run(userId);
    },
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

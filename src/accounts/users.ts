import { hash as digest, randomUUID } from 'node:crypto';
import type { Sql } from '#storage/sql/sql.ts';
import { newToken } from './links.ts';

/** A user to create, with the hash of the password. */
type NewUser = {
  readonly name: string;
  readonly email: string;
  readonly hash: string;
  readonly isOwner: boolean;
};

/** The users, in better-auth's tables. Writes belong in the caller's transaction. */
export type Users = ReturnType<typeof createUsers>;

/** How long the link to a new address is valid. */
const ASKED_LIFETIME_MS = 3_600_000;
/** Begins the identifier of a new address, among better-auth's own values that wait to be verified. */
const ASKED = 'new e-mail';

/** Longer than any code is valid: its own thirty seconds, and those before and after. */
const CODE_LIFETIME_MS = 120_000;

/** Creates the users on a connection. */
export function createUsers(sql: Sql, now: () => number) {
  const at = (fromNowMs = 0) => new Date(now() + fromNowMs).toISOString();
  const ofAsked = `"value" = ? AND "identifier" LIKE '${ASKED} %'`;
  const isPassword = `"userId" = ? AND "providerId" = 'credential'`;

  /** A column of the first row; undefined if there is none. */
  async function find(text: string, ...values: readonly string[]): Promise<string | undefined> {
    const [found] = (await sql.arrays(text, ...values))[0] ?? [];
    return found === undefined || found === null ? undefined : String(found);
  }

  async function removeResets(userId: string): Promise<void> {
    await sql.run(
      `DELETE FROM links
       WHERE kind = 'reset' AND email = (SELECT "email" FROM "user" WHERE "id" = ?)`,
      userId,
    );
  }

  async function removeAsked(userId: string): Promise<void> {
    await sql.run(`DELETE FROM "verification" WHERE ${ofAsked}`, userId);
  }

  /**
   * Ends what was opened or asked for before: sessions except the one with the token, browsers that need no code,
   * challenges, reset links and a new address that waits for its link.
   */
  async function endAllBefore(userId: string, sessionToken = ''): Promise<void> {
    const sessions = 'DELETE FROM "session" WHERE "userId" = ? AND "token" <> ?';
    await sql.run(sessions, userId, sessionToken);
    await sql.run('DELETE FROM "verification" WHERE "value" = ?', userId);
    await removeResets(userId);
  }

  /** Sets the password, and ends all of before. */
  async function setPassword(userId: string, hash: string): Promise<void> {
    await sql.run(`DELETE FROM "account" WHERE ${isPassword}`, userId);
    await sql.run(
      `INSERT INTO "account"
         ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
       VALUES (?1, ?2, 'credential', ?2, ?3, ?4, ?4)`,
      ...[randomUUID(), userId, hash, at()],
    );
    await endAllBefore(userId);
  }

  return {
    hasOwner: async () =>
      (await find('SELECT "id" FROM "user" WHERE is_owner = 1 LIMIT 1')) !== undefined,
    /** The id of the user with the address. */
    findId: (email: string) => find('SELECT "id" FROM "user" WHERE "email" = ?', email),
    findEmail: (userId: string) => find('SELECT "email" FROM "user" WHERE "id" = ?', userId),
    /** Adds a user and returns the id. An owner's address counts as proved: who runs the server gave it. */
    async add({ name, email, hash, isOwner }: NewUser): Promise<string> {
      const id = newUserId();
      await sql.run(
        `INSERT INTO "user"
           ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "is_owner")
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)`,
        ...[id, name, email, isOwner ? 1 : 0, at(), isOwner ? 1 : 0],
      );
      await setPassword(id, hash);
      return id;
    },
    async setName(userId: string, name: string): Promise<void> {
      const change = 'UPDATE "user" SET "name" = ?, "updatedAt" = ? WHERE "id" = ?';
      await sql.run(change, name, at(), userId);
    },
    /** Sets an address that was proved, and ends reset links to the one before. Throws if another user has it. */
    async setEmail(userId: string, email: string): Promise<void> {
      await removeResets(userId);
      await removeAsked(userId);
      await sql.run(
        `UPDATE "user" SET "email" = ?, "emailVerified" = TRUE, "updatedAt" = ? WHERE "id" = ?`,
        ...[email, at(), userId],
      );
    },
    /** Keeps a new address, in place of an earlier one, and returns the token of the link that is to prove it. */
    async askForEmail(userId: string, email: string): Promise<string> {
      const token = newToken();
      await removeAsked(userId);
      await sql.run(
        `INSERT INTO "verification"
           ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
         VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
        ...[randomUUID(), `${ASKED} ${email} ${digest('sha256', token)}`, userId],
        ...[at(ASKED_LIFETIME_MS), at()],
      );
      return token;
    },
    async findAskedEmail(userId: string, token?: string): Promise<string | undefined> {
      const asked = `SELECT "identifier" FROM "verification" WHERE ${ofAsked} AND "expiresAt" > ?`;
      const identifier = (await find(asked, userId, at())) ?? '';
      const [email, sha256] = identifier.slice(ASKED.length + 1).split(' ');
      return token === undefined || digest('sha256', token) === sha256
        ? email || undefined
        : undefined;
    },
    /** The hash of the password; undefined for a user who signs in with an identity provider only. */
    findHash: (userId: string) =>
      find(`SELECT "password" FROM "account" WHERE ${isPassword}`, userId),
    setPassword,
    endAllBefore,
    async dropSecondFactor(userId: string): Promise<void> {
      await sql.run('DELETE FROM "twoFactor" WHERE "userId" = ?', userId);
      await sql.run('UPDATE "user" SET "twoFactorEnabled" = FALSE WHERE "id" = ?', userId);
    },
    /** Uses up a code of the user's authenticator app. Returns false if it was used before. */
    async spendCode(userId: string, code: string): Promise<boolean> {
      await sql.run('DELETE FROM used_codes WHERE used_at < ?', now() - CODE_LIFETIME_MS);
      const spent = await sql.run(
        `INSERT INTO used_codes (factor_id, code, used_at)
         SELECT "id", CAST(? AS TEXT), CAST(? AS BIGINT) FROM "twoFactor" WHERE "userId" = ?
         ON CONFLICT DO NOTHING`,
        ...[code, now(), userId],
      );
      return spent === 1;
    },
    async remove(email: string): Promise<boolean> {
      return (await sql.run('DELETE FROM "user" WHERE "email" = ? AND is_owner = 0', email)) === 1;
    },
  };
}

/** `user_` and a random id, so that it never equals a key's id. */
export function newUserId(): string {
  return `user_${randomUUID()}`;
}

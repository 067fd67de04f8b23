import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { toCookieName } from '#accounts/cookies.ts';
import { type AccountsDatabase, openAccountsDatabase } from '#accounts/open-database.ts';
import { hashPassword } from '#accounts/password.ts';
import { createUsers } from '#accounts/users.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { dataPathsOf } from '#processes/paths.ts';

/** The user to sign in. */
export type Login = { readonly name: string; readonly email: string; readonly password: string };

const TOKEN_BYTES = 24;

/** Makes someone the owner of a server, like the first link, unless it has one. */
export async function addOwner(dataDir: string, login: Login): Promise<void> {
  const { name, email, password } = login;
  const hasOwner = await withAccountsOf(dataDir, ({ db }) => createUsers(db, Date.now).hasOwner());
  if (hasOwner) return;
  const hash = await hashPassword(password);
  await withAccountsOf(dataDir, ({ db }) =>
    createUsers(db, Date.now).add({ name, email, hash, isOwner: true }),
  );
}

/** A cookie as browsers take it. */
export type Cookie = { readonly name: string; readonly value: string };

/**
 * The cookie of a new session for someone with a login on a server without https.
 *
 * - Why not by the form: a password costs 250 ms of CPU time, by design, and its checker takes half a second to load.
 *   The forms have their own tests.
 */
export function signIn(dataDir: string, email: string): Promise<Cookie> {
  return withAccountsOf(dataDir, async ({ db, secret }) => {
    const userId = await createUsers(db, Date.now).findId(email);
    if (userId === undefined) throw new Error(`nobody has the address ${email}`);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = new Date().toISOString();
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    await db.run(
      `INSERT INTO "session" ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt")
       VALUES (?, ?, ?, ?, ?, ?)`,
      ...[randomUUID(), token, userId, expiresAt, now, now],
    );
    const signature = createHmac('sha256', secret).update(token).digest('base64');
    return {
      name: toCookieName('session_token', { isSecure: false }),
      value: encodeURIComponent(`${token}.${signature}`),
    };
  });
}

async function withAccountsOf<T>(
  dataDir: string,
  work: (accounts: AccountsDatabase) => Promise<T>,
): Promise<T> {
  const accounts = await openAccountsDatabase(dataPathsOf(dataDir).accounts);
  try {
    return await work(accounts);
  } finally {
    await accounts.close();
  }
}

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ok, type Result, refuse } from '#domain/result.ts';
import { inTransaction } from '#storage/durable-database.ts';
import { type Audit, createAudit } from './audit.ts';
import { createLinks } from './links.ts';
import { createLogins, type HandleLogin, newUserId, toOrigin } from './logins.ts';
import { openAccountsDatabase } from './open-database.ts';
import { hashPassword, PASSWORD_LENGTH } from './password.ts';
import { type Person, type Role, toEmail, toName } from './person.ts';
import { createSessions } from './sessions.ts';
import { createSignInLimit, type SignInLimit } from './sign-in-limit.ts';

/** People: who they are, who is signed in, and what they are on which site. */
export interface Accounts {
  /** Whether the installation has an owner: from then on nobody begins by a link. */
  hasOwner(): boolean;
  /** The token of a new link by which its holder becomes the owner; nothing once there is one. */
  makeStartLink(): string | undefined;
  /** The token of a new link by which a person sets a new password; nothing for nobody. */
  makeResetLink(email: string): string | undefined;
  /** Makes the owner. Refuses a link that is not valid, and what the login cannot be. */
  start(token: string, login: NewLogin): Promise<Result<undefined, Refusal>>;
  /** Sets the password of the link's person, and ends all of their sessions. */
  reset(token: string, password: string): Promise<Result<{ readonly email: string }, Refusal>>;
  /** Who is signed in, by the cookies of a request. */
  findPerson(cookie: string | undefined): Person | undefined;
  /** What a person is on a site; nothing when it is none of theirs. */
  findRole(person: Person, siteId: string): Role | undefined;
  readonly audit: Audit;
  readonly signInLimit: SignInLimit;
  /** Answers a request below `/api/auth/` whose origin was checked. */
  readonly handleLogin: HandleLogin;
  /** The origin that such a request must seem to be sent to. */
  readonly origin: string;
  close(): void;
}

/** The login that somebody wants. */
export type NewLogin = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
};

/** Why a link or a login is refused, and which of its fields is at fault. */
export type Refusal = { readonly field: keyof NewLogin | 'token'; readonly message: string };

/** Where the file lies, and how the server is reached. */
export type AccountsOptions = {
  readonly path: string;
  readonly baseUrl: string | undefined;
  readonly now?: () => number;
  onTrouble?(message: string): void;
};

/** How long a link to begin, or to set a password, is valid. */
export const LINK_LIFETIME_MS = 3_600_000;

/** Opens or makes the file of people. What signs people in is loaded when somebody first does. */
export function openAccounts(options: AccountsOptions): Accounts {
  const { path, baseUrl, now = Date.now, onTrouble = () => {} } = options;
  const database = openAccountsDatabase(path);
  const { db, secret } = database;
  const isSecure = baseUrl?.startsWith('https:') ?? false;
  const links = createLinks(db, now);
  const sessions = createSessions(db, { secret, isSecure, now });
  const countOwners = db.prepare('SELECT count(*) AS n FROM "user" WHERE is_owner = 1');
  const findUser = db.prepare('SELECT id FROM "user" WHERE email = ?');
  const findRole = db.prepare('SELECT role FROM members WHERE user_id = ? AND site_id = ?');
  const hasOwner = () => Number(countOwners.get()?.n) > 0;
  let logins: Promise<HandleLogin> | undefined;

  return {
    hasOwner,
    makeStartLink: () => (hasOwner() ? undefined : links.make({ kind: 'start' }, LINK_LIFETIME_MS)),
    makeResetLink(text) {
      const email = toEmail(text);
      const isKnown = email !== undefined && findUser.get(email) !== undefined;
      return isKnown ? links.make({ kind: 'reset', email }, LINK_LIFETIME_MS) : undefined;
    },
    async start(token, login) {
      if (hasOwner() || links.find('start', token) === undefined) return refuse(OVER);
      const parsed = parseLogin(login);
      if (!parsed.ok) return parsed;
      const hash = await hashPassword(login.password);
      return inTransaction(db, () => {
        if (hasOwner() || !links.spend(token)) return refuse(OVER); // Another was faster.
        links.spendAll('start');
        insertUser(db, { ...parsed.value, hash, isOwner: true }, now());
        return ok(undefined);
      });
    },
    async reset(token, password) {
      const fault = findPasswordFault(password);
      const link = links.find('reset', token);
      if (link === undefined) return refuse(OVER);
      if (fault !== undefined) return refuse(fault);
      const hash = await hashPassword(password);
      return inTransaction(db, () => {
        const userId = findUser.get(link.email)?.id;
        if (userId === undefined || !links.spend(token)) return refuse(OVER);
        setPassword(db, String(userId), hash, now());
        return ok({ email: link.email });
      });
    },
    findPerson: sessions.findPerson,
    findRole(person, siteId) {
      if (person.isOwner) return 'owner';
      return findRole.get(person.id, siteId)?.role as Role | undefined;
    },
    audit: createAudit(db, now),
    signInLimit: createSignInLimit(now),
    async handleLogin(request) {
      logins ??= createLogins(database, { baseUrl, isSecure, onTrouble });
      return (await logins)(request);
    },
    origin: toOrigin(baseUrl),
    close: () => db.close(),
  };
}

const OVER: Refusal = {
  field: 'token',
  message: 'is not valid: a link works once, and for an hour; make another one',
};

/** A login as it is stored; what is wrong with it otherwise. */
function parseLogin(login: NewLogin): Result<Omit<NewLogin, 'password'>, Refusal> {
  const name = toName(login.name);
  const email = toEmail(login.email);
  if (name === undefined)
    return refuse({ field: 'name', message: 'must have 1 to 100 characters' });
  if (email === undefined) return refuse({ field: 'email', message: 'must be an e-mail address' });
  const fault = findPasswordFault(login.password);
  return fault === undefined ? ok({ name, email }) : refuse(fault);
}

function findPasswordFault({ length }: string): Refusal | undefined {
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return undefined;
  return { field: 'password', message: `must have ${min} to ${max} characters` };
}

type UserRow = Omit<NewLogin, 'password'> & { readonly hash: string; readonly isOwner: boolean };

/** A person with a password, in the rows that better-auth reads. */
function insertUser(
  db: DatabaseSync,
  { name, email, hash, isOwner }: UserRow,
  now: number,
): string {
  const id = newUserId();
  const at = new Date(now).toISOString();
  db.prepare(`
    INSERT INTO "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "is_owner")
    VALUES (?, ?, ?, 1, ?, ?, ?)`).run(id, name, email, at, at, isOwner ? 1 : 0);
  insertPassword(db, id, hash, at);
  return id;
}

function insertPassword(db: DatabaseSync, userId: string, hash: string, at: string): void {
  db.prepare(`
    INSERT INTO "account"
      ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
    VALUES (?, ?, 'credential', ?, ?, ?, ?)`).run(randomUUID(), userId, userId, hash, at, at);
}

function setPassword(db: DatabaseSync, userId: string, hash: string, now: number): void {
  db.prepare(`DELETE FROM "account" WHERE "userId" = ? AND "providerId" = 'credential'`).run(
    userId,
  );
  insertPassword(db, userId, hash, new Date(now).toISOString());
  db.prepare('DELETE FROM "session" WHERE "userId" = ?').run(userId);
}

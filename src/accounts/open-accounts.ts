import { ok, type Result, refuse } from '#domain/result.ts';
import { inTransaction } from '#storage/durable-database.ts';
import { type Audit, createAudit, type Who } from './audit/audit.ts';
import { createKnownBrowsers, type KnownBrowsers } from './cookies.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { createLinks, type Link } from './links.ts';
import {
  EMAIL_TAKEN,
  findPasswordFault,
  LINK_OVER,
  type NewLogin,
  NO_EMAIL,
  NO_NAME,
  NO_PASSWORD,
  parseLogin,
  type Refusal,
  WRONG_PASSWORD,
} from './login-form.ts';
import { createLogins, type HandleLogin, toOrigin } from './logins.ts';
import { createMembers, type Members } from './members.ts';
import { createNotices, type Notices } from './notices.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { openAccountsDatabase } from './open-database.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { type Person, type Role, toEmail, toName } from './person.ts';
import { createSavedThings, type SavedThings } from './saved.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createShares, type Shares } from './shares.ts';
import { createMailLimit, createSignInLimit, type SignInLimit } from './sign-in-limit.ts';
import { createUsers, type Users } from './users.ts';

/** User accounts: people, their sessions, and their roles on sites. */
export interface Accounts extends Sessions {
  /** Whether the server has an owner. If so, start links no longer work. */
  readonly hasOwner: Users['hasOwner'];
  /** Creates a link that makes its holder the owner, and returns its token; `undefined` if there is one. */
  makeStartLink(): string | undefined;
  /** Creates a password reset link and returns its token; `undefined` for an unknown address. */
  makeResetLink(email: string, options?: Pick<Link, 'dropsSecondFactor'>): string | undefined;
  /** Creates the owner. Refuses an invalid link or login. */
  start(token: string, login: NewLogin): Promise<Result<undefined, Refusal>>;
  /** Sets the password of the link's person, and ends all their sessions. */
  reset(token: string, password: string): Promise<Result<{ readonly email: string }, Refusal>>;
  /**
   * Changes a person's name, and returns both as stored. A new e-mail address waits until the link with the token is
   * opened, and needs their password: a session left open must not be enough to take a login over.
   */
  change(
    person: Person,
    to: Partial<NewLogin>,
  ): Promise<Result<Omit<NewLogin, 'password'> & { readonly token?: string }, Refusal>>;
  readonly findAskedEmail: Users['findAskedEmail'];
  /** Gives a person an address that was proved, or that the server's owner vouches for. */
  setEmail(who: Who, email: string): Result<string, Refusal>;
  /** A person's role on a site; `undefined` without access. */
  findRole(person: Person, siteId: string): Role | undefined;
  /** The id of the person with the address. */
  findUserId(email: string): string | undefined;
  /** Removes a person with all sessions and roles. Returns false if unknown, or an owner of the server. */
  removePerson(email: string): boolean;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly audit: Audit;
  readonly saved: SavedThings;
  readonly shares: Shares;
  readonly notices: Notices;
  readonly signInLimit: SignInLimit;
  /** Counts a mail that somebody has sent by a click and returns 0, or how long they have to wait. */
  readonly takeMail: (to: string, by: string) => number;
  readonly knownBrowsers: KnownBrowsers;
  /** Answers a request under `/api/auth/` whose origin has been checked. */
  readonly handleLogin: HandleLogin;
  /** The origin that such a request must use. */
  readonly origin: string;
  close(): void;
}

/** The path of the accounts database, and the server's URL. */
export type AccountsOptions = {
  readonly path: string;
  readonly baseUrl: string | undefined;
  readonly oidc?: OidcSettings | undefined;
  /** Whether the database may be new. If not, a missing or empty file is refused. */
  readonly mayCreate?: boolean;
  readonly now?: () => number;
  onTrouble?(message: string): void;
};

/** How long a start or reset link is valid. */
export const LINK_LIFETIME_MS = 3_600_000;

/** Opens or creates the accounts database. better-auth is loaded at the first sign-in. */
export function openAccounts(options: AccountsOptions): Accounts {
  const { path, baseUrl, oidc, now = Date.now, onTrouble = () => {} } = options;
  const database = openAccountsDatabase(path, options.mayCreate);
  const { db, secret } = database;
  const isSecure = baseUrl?.startsWith('https:') ?? false;
  const links = createLinks(db, now);
  const users = createUsers(db, now);
  const members = createMembers(db, now);
  const audit = createAudit(db, now);
  let logins: Promise<HandleLogin> | undefined;
  const onLinked = (userId: string) => {
    const email = users.findEmail(userId) ?? '';
    const what = 'login linked to the identity provider';
    audit.note({ id: userId, email }, { siteId: '', what, about: email });
  };

  return {
    hasOwner: users.hasOwner,
    makeStartLink: () =>
      users.hasOwner() ? undefined : links.make({ kind: 'start' }, LINK_LIFETIME_MS),
    makeResetLink(text, options = {}) {
      const email = toEmail(text) ?? '';
      const isKnown = users.findId(email) !== undefined;
      // Nobody's link is as much work, so that its time does not tell whether there is a login.
      const link = { kind: 'reset', email: isKnown ? email : '', ...options } as const;
      const token = links.make(link, LINK_LIFETIME_MS);
      return isKnown ? token : undefined;
    },
    async start(token, login) {
      const link = links.find('start', token);
      if (users.hasOwner() || link === undefined) return refuse(LINK_OVER);
      const parsed = parseLogin(login);
      if (!parsed.ok) return parsed;
      const hash = await hashPassword(login.password);
      return inTransaction(db, () => {
        if (users.hasOwner() || !links.spend(link.id)) return refuse(LINK_OVER); // Another request was faster.
        links.spendAll('start');
        users.add({ ...parsed.value, hash, isOwner: true });
        return ok(undefined);
      });
    },
    async reset(token, password) {
      const fault = findPasswordFault(password);
      const link = links.find('reset', token);
      if (link === undefined) return refuse(LINK_OVER);
      if (fault !== undefined) return refuse(fault);
      const hash = await hashPassword(password);
      return inTransaction(db, () => {
        const userId = users.findId(link.email);
        if (userId === undefined || !links.spend(link.id)) return refuse(LINK_OVER);
        users.setPassword(userId, hash);
        users.setEmail(userId, link.email); // The link was sent there, or handed over by the server's owner.
        const note = (what: string) =>
          audit.note({ id: userId, email: link.email }, { siteId: '', what, about: link.email });
        note('password set by a reset link');
        if (link.dropsSecondFactor) {
          users.dropSecondFactor(userId);
          note('two-factor authentication turned off by a reset link');
        }
        return ok({ email: link.email });
      });
    },
    async change({ id, ...before }, to) {
      const name = toName(to.name ?? before.name);
      const email = toEmail(to.email ?? before.email);
      if (name === undefined) return refuse(NO_NAME);
      if (email === undefined) return refuse(NO_EMAIL);
      const isNew = email !== before.email;
      if (isNew) {
        const hash = users.findHash(id);
        if (hash === undefined) return refuse(NO_PASSWORD);
        if (!(await verifyPassword(to.password ?? '', hash))) return refuse(WRONG_PASSWORD);
      }
      return inTransaction(db, () => {
        if (isNew && users.findId(email) !== undefined) return refuse(EMAIL_TAKEN);
        users.setName(id, name);
        if (!isNew) return ok({ name, email });
        return ok({ name, email: before.email, token: users.askForEmail(id, email) });
      });
    },
    findAskedEmail: users.findAskedEmail,
    setEmail: ({ id, email: before }, text) =>
      inTransaction(db, () => {
        const email = toEmail(text);
        if (email === undefined) return refuse(NO_EMAIL);
        if (![undefined, id].includes(users.findId(email))) return refuse(EMAIL_TAKEN);
        users.setEmail(id, email);
        const about = `${before} → ${email}`;
        audit.note({ id, email }, { siteId: '', what: 'e-mail address changed', about });
        return ok(email);
      }),
    ...createSessions(db, { secret, isSecure, now }),
    findRole: ({ id }, siteId) => members.findRole(id, siteId),
    findUserId: (email) => users.findId(toEmail(email) ?? ''),
    removePerson: (email) => users.remove(toEmail(email) ?? ''),
    members,
    invitations: createInvitations(db, { links, users, members }),
    audit,
    saved: createSavedThings(db, now),
    notices: createNotices(db),
    shares: createShares(db, { secret, now }),
    signInLimit: createSignInLimit(now),
    takeMail: createMailLimit(now),
    knownBrowsers: createKnownBrowsers({ secret, isSecure }),
    async handleLogin(request) {
      logins ??= createLogins(database, {
        ...{ baseUrl, isSecure, oidc, users, onLinked, onTrouble },
        isInvited: (email) => links.list('invite').some((each) => each.email === email),
      });
      return (await logins)(request);
    },
    origin: toOrigin(baseUrl),
    close: () => db.close(),
  };
}

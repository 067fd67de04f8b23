import { ok, type Result, refuse } from '#domain/result.ts';
import type { Role } from '#domain/site/role.ts';
import type { Audit, Who } from './audit/audit.ts';
import { createKnownBrowsers, type KnownBrowsers } from './cookies.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import type { Link } from './links.ts';
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
import type { Members } from './members.ts';
import { makeAccountsSchema } from './migrations/schema.ts';
import type { Notices } from './notices.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { openAccountsDatabase } from './open-database.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { createSavedThings, type SavedThings } from './saved.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createShares, type Shares } from './shares.ts';
import { createMailLimit, createSignInLimit, type SignInLimit } from './sign-in-limit.ts';
import { createChange, createStores } from './stores.ts';
import { toEmail, toName, type User } from './user.ts';
import type { Users } from './users.ts';

/** User accounts: people, their sessions, and their roles on sites. */
export interface Accounts extends Sessions {
  /** Whether the server has an owner. If so, start links no longer work. */
  readonly hasOwner: Users['hasOwner'];
  /** Creates a link that makes its holder the owner, and returns its token; `undefined` if there is one. */
  makeStartLink(): Promise<string | undefined>;
  /** Creates a password reset link and returns its token; `undefined` for an unknown address. */
  makeResetLink(
    email: string,
    options?: Pick<Link, 'dropsSecondFactor'>,
  ): Promise<string | undefined>;
  /** Creates the owner. Refuses an invalid link or login. */
  start(token: string, login: NewLogin): Promise<Result<undefined, Refusal>>;
  /** Sets the password of the link's user, and ends all their sessions. */
  reset(token: string, password: string): Promise<Result<{ readonly email: string }, Refusal>>;
  /**
   * Changes a user's name, and returns both as stored. A new e-mail address waits until the link with the token is
   * opened, and needs their password: a session left open must not be enough to take a login over.
   */
  change(
    user: User,
    to: Partial<NewLogin>,
  ): Promise<Result<Omit<NewLogin, 'password'> & { readonly token?: string }, Refusal>>;
  readonly findAskedEmail: Users['findAskedEmail'];
  /** Gives a user an address that was proved, or that the server's owner vouches for. */
  setEmail(who: Who, email: string): Promise<Result<string, Refusal>>;
  /** A user's role on a site; `undefined` without access. */
  findRole(user: User, siteId: string): Promise<Role | undefined>;
  /** The id of the user with the address. */
  findUserId(email: string): Promise<string | undefined>;
  /** Removes a user with all sessions and roles. Returns false if unknown, or an owner of the server. */
  removeUser(email: string): Promise<boolean>;
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
  close(): Promise<void>;
}

/** Where the accounts are, and the server's URL. */
export type AccountsOptions = {
  /** The path of an SQLite file, or the URL of a PostgreSQL database. */
  readonly location: string;
  readonly baseUrl: string | undefined;
  readonly oidc?: OidcSettings | undefined;
  /** Whether the database may be new. If not, a missing or empty file is refused. */
  readonly mayCreate?: boolean;
  readonly now?: () => number;
  onTrouble?(message: string): void;
};

/** How long a start or reset link is valid. */
export const LINK_LIFETIME_MS = 3_600_000;

/** Opens or creates the accounts. better-auth is loaded at the first sign-in. */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { location, baseUrl, oidc, now = Date.now, onTrouble = () => {} } = options;
  const database = await openAccountsDatabase(location, options.mayCreate);
  const { db, secret } = database;
  const isSecure = baseUrl?.startsWith('https:') ?? false;
  const stores = createStores(db, now);
  const { users, links, members, audit, notices } = stores;
  const change = createChange(db, now);
  const note: Audit['note'] = (...asked) => change((own) => own.audit.note(...asked));
  let logins: Promise<HandleLogin> | undefined;

  return {
    hasOwner: users.hasOwner,
    makeStartLink: async () =>
      (await users.hasOwner()) ? undefined : links.make({ kind: 'start' }, LINK_LIFETIME_MS),
    async makeResetLink(text, options = {}) {
      const email = toEmail(text) ?? '';
      const isKnown = (await users.findId(email)) !== undefined;
      // Nobody's link is as much work, so that its time does not tell whether there is a login.
      const link = { kind: 'reset', email: isKnown ? email : '', ...options } as const;
      const token = await links.make(link, LINK_LIFETIME_MS);
      return isKnown ? token : undefined;
    },
    async start(token, login) {
      const link = await links.find('start', token);
      if (link === undefined || (await users.hasOwner())) return refuse(LINK_OVER);
      const parsed = parseLogin(login);
      if (!parsed.ok) return parsed;
      const hash = await hashPassword(login.password);
      return change(async (own) => {
        const isOver = (await own.users.hasOwner()) || !(await own.links.spend(link.id));
        if (isOver) return refuse(LINK_OVER); // Another request was faster.
        await own.links.spendAll('start');
        await own.users.add({ ...parsed.value, hash, isOwner: true });
        return ok(undefined);
      });
    },
    async reset(token, password) {
      const fault = findPasswordFault(password);
      const link = await links.find('reset', token);
      if (link === undefined) return refuse(LINK_OVER);
      if (fault !== undefined) return refuse(fault);
      const hash = await hashPassword(password);
      const { id: linkId, email, dropsSecondFactor } = link;
      return change(async (own) => {
        const id = await own.users.findId(email);
        if (id === undefined || !(await own.links.spend(linkId))) return refuse(LINK_OVER);
        await own.users.setPassword(id, hash);
        await own.users.setEmail(id, email); // The link was sent there, or handed over by the server's owner.
        const noteOwn = (what: string) =>
          own.audit.note({ id, email }, { siteId: '', what, about: email });
        await noteOwn('password set by a reset link');
        if (dropsSecondFactor) {
          await own.users.dropSecondFactor(id);
          await noteOwn('two-factor authentication turned off by a reset link');
        }
        return ok({ email });
      });
    },
    async change({ id, ...before }, to) {
      const name = toName(to.name ?? before.name);
      const email = toEmail(to.email ?? before.email);
      if (name === undefined) return refuse(NO_NAME);
      if (email === undefined) return refuse(NO_EMAIL);
      const isNew = email !== before.email;
      if (isNew) {
        const hash = await users.findHash(id);
        if (hash === undefined) return refuse(NO_PASSWORD);
        if (!(await verifyPassword(to.password ?? '', hash))) return refuse(WRONG_PASSWORD);
      }
      return change(async (own) => {
        if (isNew && (await own.users.findId(email)) !== undefined) return refuse(EMAIL_TAKEN);
        await own.users.setName(id, name);
        if (!isNew) return ok({ name, email });
        return ok({ name, email: before.email, token: await own.users.askForEmail(id, email) });
      });
    },
    findAskedEmail: users.findAskedEmail,
    setEmail: ({ id, email: before }, text) =>
      change(async (own) => {
        const email = toEmail(text);
        if (email === undefined) return refuse(NO_EMAIL);
        if (![undefined, id].includes(await own.users.findId(email))) return refuse(EMAIL_TAKEN);
        await own.users.setEmail(id, email);
        const about = `${before} → ${email}`;
        await own.audit.note({ id, email }, { siteId: '', what: 'e-mail address changed', about });
        return ok(email);
      }),
    ...createSessions(db, { secret, isSecure, now }),
    findRole: ({ id }, siteId) => members.findRole(id, siteId),
    findUserId: (email) => users.findId(toEmail(email) ?? ''),
    removeUser: (email) => users.remove(toEmail(email) ?? ''),
    members: { ...members, remove: (...asked) => change((own) => own.members.remove(...asked)) },
    invitations: createInvitations(stores, change),
    audit: {
      note,
      noteFailure: (email) => change((own) => own.audit.noteFailure(email)),
      list: audit.list,
    },
    saved: createSavedThings(db, now),
    notices: { ...notices, removeAll: (siteId) => change((own) => own.notices.removeAll(siteId)) },
    shares: createShares(db, { secret, now }),
    signInLimit: createSignInLimit(now),
    takeMail: createMailLimit(now),
    knownBrowsers: createKnownBrowsers({ secret, isSecure }),
    async handleLogin(request) {
      logins ??= createLogins(database, {
        ...{ baseUrl, isSecure, oidc, onTrouble },
        listInvited: async () => (await links.list('invite')).map(({ email }) => email),
        users: {
          spendCode: users.spendCode,
          endAllBefore: (...asked) => change((own) => own.users.endAllBefore(...asked)),
        },
        async onLinked(id) {
          const email = (await users.findEmail(id)) ?? '';
          const what = 'login linked to the identity provider';
          await note({ id, email }, { siteId: '', what, about: email });
        },
      });
      return (await logins)(request);
    },
    origin: toOrigin(baseUrl),
    close: database.close,
  };
}

/** Opens the tables of accounts for copying, with their schema. */
export async function openAccountsTables(location: string) {
  const { db, close } = await openAccountsDatabase(location);
  return { db, schema: makeAccountsSchema().tables, close };
}

import type { AuditedChange, Who } from '#domain/account/audit.ts';
import {
  type ChangedLogin,
  EMAIL_TAKEN,
  findPasswordFault,
  LINK_OVER,
  type LoginFault,
  type NewLogin,
  NO_EMAIL,
  NO_NAME,
  NO_PASSWORD,
  parseLogin,
  WRONG_PASSWORD,
} from '#domain/account/login-form.ts';
import { toEmail, toName, type User } from '#domain/account/user.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { createKnownBrowsers } from './cookies.ts';
import { createInvitations } from './invitations.ts';
import type { Link } from './links.ts';
import { createLogins } from './logins.ts';
import { makeAccountsSchema } from './migrations/schema.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { openAccountsDatabase } from './open-database.ts';
import { hashPassword, type PasswordCost, verifyPassword } from './password.ts';
import { createSavedThings } from './saved.ts';
import { createSessions } from './sessions.ts';
import { createShares } from './shares.ts';
import { createMailLimit, createSignInLimit } from './sign-in-limit.ts';
import { createAccountStores, createChange } from './stores.ts';

/** User accounts: people, their sessions, and their roles on sites. Who uses them says in its ports what it needs. */
export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** Where the accounts are, and the server's URL. */
export type AccountsOptions = {
  /** The path of an SQLite file, or the URL of a PostgreSQL database. */
  readonly location: string;
  readonly baseUrl: string | undefined;
  readonly oidc?: OidcSettings | undefined;
  /** Whether the database may be new. If not, a missing or empty file is refused. */
  readonly mayCreate?: boolean;
  readonly now?: () => number;
  /** Less than a server's, for tests of much else. */
  readonly passwordCost?: PasswordCost;
  onTrouble?(message: string): void;
};

/** How long a start or reset link is valid. */
const LINK_LIFETIME_MS = 3_600_000;

/** Opens or creates the accounts. better-auth is loaded at the first sign-in. */
export async function openAccounts(options: AccountsOptions) {
  const { location, baseUrl, oidc, now = Date.now, onTrouble = () => {} } = options;
  const database = await openAccountsDatabase(location, options.mayCreate);
  const { db, secret } = database;
  const isSecure = baseUrl?.startsWith('https:') ?? false;
  const stores = createAccountStores(db, now);
  const { users, links, members, audit, notices, alerts } = stores;
  const change = createChange(db, now);
  const hashOf = (password: string) => hashPassword(password, options.passwordCost);
  const note = (who: Who, made: AuditedChange) => change((own) => own.audit.note(who, made));
  const origin = toOrigin(baseUrl);
  let logins: ReturnType<typeof createLogins> | undefined;

  return {
    hasOwner: users.hasOwner,
    /** Creates a link that makes its holder the owner, and returns its token; `undefined` if there is one. */
    makeStartLink: async () =>
      (await users.hasOwner()) ? undefined : links.make({ kind: 'start' }, LINK_LIFETIME_MS),
    async makeResetLink(text: string, options: Pick<Link, 'dropsSecondFactor'> = {}) {
      const email = toEmail(text) ?? '';
      const isKnown = (await users.findId(email)) !== undefined;
      // Nobody's link is as much work, so that its time does not tell whether there is a login.
      const link = { kind: 'reset', email: isKnown ? email : '', ...options } as const;
      const token = await links.make(link, LINK_LIFETIME_MS);
      return isKnown ? token : undefined;
    },
    isLinkOpen: async (kind: 'start' | 'reset', token: string): Promise<boolean> =>
      (await links.find(kind, token)) !== undefined &&
      (kind === 'reset' || !(await users.hasOwner())),
    async start(token: string, login: NewLogin): Promise<Result<undefined, LoginFault>> {
      const link = await links.find('start', token);
      if (link === undefined || (await users.hasOwner())) return refuse(LINK_OVER);
      const parsed = parseLogin(login);
      if (!parsed.ok) return parsed;
      const hash = await hashOf(login.password);
      return change(async (own) => {
        const isOver = (await own.users.hasOwner()) || !(await own.links.spend(link.id));
        if (isOver) return refuse(LINK_OVER); // Another request was faster.
        await own.links.spendAll('start');
        await own.users.add({ ...parsed.value, hash, isOwner: true });
        return ok(undefined);
      });
    },
    async reset(token: string, password: string): Promise<Result<{ email: string }, LoginFault>> {
      const fault = findPasswordFault(password);
      const link = await links.find('reset', token);
      if (link === undefined) return refuse(LINK_OVER);
      if (fault !== undefined) return refuse(fault);
      const hash = await hashOf(password);
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
    async change({ id, ...before }: User, to: Partial<NewLogin>) {
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
      return change<Result<ChangedLogin, LoginFault>>(async (own) => {
        if (isNew && (await own.users.findId(email)) !== undefined) return refuse(EMAIL_TAKEN);
        await own.users.setName(id, name);
        if (!isNew) return ok({ name, email });
        return ok({ name, email: before.email, token: await own.users.askForEmail(id, email) });
      });
    },
    findAskedEmail: users.findAskedEmail,
    setEmail: ({ id, email: before }: Who, text: string): Promise<Result<string, LoginFault>> =>
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
    findRole: ({ id }: User, siteId: string) => members.findRole(id, siteId),
    /** The id of the user with the address. */
    findUserId: (email: string) => users.findId(toEmail(email) ?? ''),
    findEmail: users.findEmail,
    /** Removes a user with all sessions and roles. Returns false if unknown, or an owner of the server. */
    removeUser: (email: string) => users.remove(toEmail(email) ?? ''),
    members: {
      ...members,
      remove: (userId: string, siteId: string) =>
        change((own) => own.members.remove(userId, siteId)),
    },
    invitations: createInvitations(stores, change, hashOf),
    audit: {
      note,
      noteFailure: (email: string | undefined) => change((own) => own.audit.noteFailure(email)),
      list: audit.list,
    },
    saved: createSavedThings(db, now),
    notices: {
      ...notices,
      removeAll: (siteId: string) => change((own) => own.notices.removeAll(siteId)),
    },
    alerts: {
      ...{ listOwn: alerts.listOwn, finish: alerts.finish },
      setOwn: (siteId: string, rules: readonly string[]) =>
        change((own) => own.alerts.setOwn(siteId, rules)),
      move: (...moved: Parameters<typeof alerts.move>) =>
        change((own) => own.alerts.move(...moved)),
      raise: (...raised: Parameters<typeof alerts.raise>) =>
        change((own) => own.alerts.raise(...raised)),
      takeDue: (limit: number) => change((own) => own.alerts.takeDue(limit)),
    },
    shares: createShares(db, { secret, now, hashOf }),
    signInLimit: createSignInLimit(now),
    takeMail: createMailLimit(now),
    knownBrowsers: createKnownBrowsers({ secret, isSecure }),
    async handleLogin(request: Request): Promise<Response> {
      logins ??= createLogins(database, {
        ...{ origin, isSecure, oidc, hashOf, onTrouble },
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
    origin,
    close: database.close,
  };
}

/** The origin of the requests that better-auth answers, which have been checked. Without a public URL, any host works. */
export function toOrigin(baseUrl: string | undefined): string {
  return baseUrl === undefined ? 'http://tributary.invalid' : new URL(baseUrl).origin;
}

/** Opens the tables of accounts for copying, with their schema. */
export async function openAccountsTables(location: string) {
  const { db, close } = await openAccountsDatabase(location);
  return { db, schema: makeAccountsSchema().tables, close };
}

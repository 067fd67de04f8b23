import { randomUUID } from 'node:crypto';
import { COOKIE_PREFIX } from './cookies.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { AccountsDatabase } from './open-database.ts';
import { hashPassword, PASSWORD_LENGTH, verifyPassword } from './password.ts';
import { toEmail } from './person.ts';
import { findForeignIssuer, toProvider } from './provider.ts';

/** What the logins need to know. */
export type LoginOptions = {
  /** As browsers see the server; when unset, it may be reached under any name. */
  readonly baseUrl: string | undefined;
  /** Whether browsers reach it by https alone. */
  readonly isSecure: boolean;
  /** Where people may sign in besides. */
  readonly oidc: OidcSettings | undefined;
  /** Whether an invitation of the address is open. */
  isInvited(email: string): boolean;
  /** Somebody's login was found by the address that the provider verified: from now on it opens it. */
  onLinked(userId: string): void;
  onTrouble(message: string): void;
};

/** Answers a request below `/api/auth/`, as better-auth documents it. */
export type HandleLogin = (request: Request) => Promise<Response>;

const DAY_S = 86_400;
const SESSION_S = 30 * DAY_S;

/** Where requests seem to be sent when no address is set: who may send them was checked before. */
const INNER_ORIGIN = 'http://tributary.invalid';

/**
 * Makes better-auth ready: passwords, sessions, second factors.
 *
 * - Nobody signs up: people come by a link. No address is stored, nothing is reported, nothing is fetched.
 * - Who signs in at a provider has a login here already, or is invited and gets one: a verified address finds
 *   either the first time, and the provider's own id from then on.
 * - Its own limit of tries and its check of origins would need addresses and one fixed name: ours come first.
 */
export async function createLogins(
  { db, secret }: AccountsDatabase,
  { baseUrl, isSecure, oidc, isInvited, onLinked, onTrouble }: LoginOptions,
): Promise<HandleLogin> {
  const [{ betterAuth }, { twoFactor }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/two-factor'),
  ]);
  const auth = betterAuth({
    appName: 'Tributary',
    baseURL: toOrigin(baseUrl),
    basePath: '/api/auth',
    secret,
    database: db,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: {
        hash: hashPassword,
        verify: ({ password, hash }) => verifyPassword(password, hash),
      },
    },
    user: {
      validateUserInfo({ user: { email, emailVerified }, source }) {
        if (source.action !== 'create-user') return;
        if (emailVerified !== true) return { error: 'account_not_linked' };
        if (!isInvited(toEmail(`${email}`) ?? '')) return { error: 'signup_disabled' };
      },
    },
    session: { expiresIn: SESSION_S, updateAge: DAY_S },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: isSecure,
      ipAddress: { disableIpTracking: true },
      database: {
        generateId: ({ model }) => (model === 'user' ? newUserId() : randomUUID()),
      },
    },
    databaseHooks: { account: { create: { after: async ({ userId }) => onLinked(userId) } } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { errorURL: '/sign-in' }, // An answer of a provider that nobody asked for, or an old one.
    logger: { level: 'error', log: (_level, message) => onTrouble(String(message)) },
    plugins: [twoFactor({ issuer: 'Tributary' }), ...(oidc ? [await toProvider(oidc)] : [])],
  });
  if (oidc === undefined) return (request) => auth.handler(request);
  return withIssuerCheck((request) => auth.handler(request), oidc, {
    findProviders: async () => (await auth.$context).socialProviders,
    onTrouble,
  });
}

/** Answers as before, and refuses what goes through a provider that is not the one that was set. */
function withIssuerCheck(
  handle: HandleLogin,
  oidc: OidcSettings,
  { findProviders, onTrouble }: Pick<LoginOptions, 'onTrouble'> & { findProviders: FindProviders },
): HandleLogin {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const answer = await handle(request); // It reads the provider's document when it is first needed.
    if (!OF_PROVIDER.test(pathname)) return answer;
    const foreign = findForeignIssuer(await findProviders(), oidc);
    if (foreign === undefined) return answer;
    onTrouble(
      `The identity provider at OIDC_ISSUER=${oidc.issuer} calls itself ${foreign} in its discovery document. Nobody is signed in there. If it is the right one, set OIDC_ISSUER to that.`,
    );
    if (request.method === 'POST') return Response.json({ code: FOREIGN_ISSUER }, { status: 503 });
    return new Response(null, {
      status: 302,
      headers: { location: `/sign-in?error=${FOREIGN_ISSUER}` },
    });
  };
}

/** Where the provider has a part. */
const OF_PROVIDER = /\/(sign-in\/social|callback\/oidc)$/;

/** The code of an answer that refuses a provider. */
export const FOREIGN_ISSUER = 'foreign_issuer';

type FindProviders = () => Promise<Parameters<typeof findForeignIssuer>[0]>;

/** `user_` and a random id: it is never that of a key. */
export function newUserId(): string {
  return `user_${randomUUID()}`;
}

/** The origin that better-auth believes to have. */
export function toOrigin(baseUrl: string | undefined): string {
  return baseUrl === undefined ? INNER_ORIGIN : new URL(baseUrl).origin;
}

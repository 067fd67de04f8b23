import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { PASSWORD_LENGTH } from '#domain/account/guessable.ts';
import { FOREIGN_ISSUER } from '#domain/account/login-form.ts';
import { toEmail } from '#domain/account/user.ts';
import { toKysely } from '#storage/sql/kysely.ts';
import { COOKIE_PREFIX } from './cookies.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { AccountsDatabase } from './open-database.ts';
import { type HashOf, verifyPassword } from './password.ts';
import { findForeignIssuer, toProvider } from './provider.ts';
import { newUserId, type Users } from './users.ts';

type LoginOptions = {
  /** The origin of its requests, whose real origin the caller has checked. */
  readonly origin: string;
  /** Whether browsers use https only. */
  readonly isSecure: boolean;
  /** The identity provider, if there is one. */
  readonly oidc: OidcSettings | undefined;
  /** The addresses that have an open invitation. */
  listInvited(): Promise<readonly string[]>;
  readonly hashOf: HashOf;
  readonly users: Pick<Users, 'spendCode' | 'endAllBefore'>;
  /** Called when a login is linked to the provider, by the address that the provider has verified. */
  onLinked(userId: string): Promise<void>;
  onTrouble(message: string): void;
};

const CODE_PATH = '/two-factor/verify-totp';
const CODE_USED = 'This code has been used already. Sign in again with the next one.';

/** Answers a request under `/api/auth/`, as documented by better-auth. */
type HandleLogin = (request: Request) => Promise<Response>;

const DAY_S = 86_400;
const SESSION_S = 30 * DAY_S;

/**
 * Sets up better-auth: passwords, sessions, two-factor authentication.
 *
 * - There is no sign-up: people come by link. No IP address is stored, and nothing is reported or fetched.
 * - People who use the provider already have a login here, or are invited and get one: a verified address
 *   finds either the first time, and the provider's own id afterwards.
 * - A code opens one session only. Source: RFC 6238, 5.2; better-auth accepts it as long as it is valid.
 * - A session that takes the place of another, as a new password or second factor makes, ends all of before.
 * - Its rate limit and origin check are off: they need IP addresses and a fixed host name. Ours come first. The
 *   lock after wrong codes is off, too: recovery codes and known browsers would share it with an attacker.
 * - Nobody signs in at a provider whose discovery document names another issuer than `OIDC_ISSUER`.
 */
export async function createLogins(
  { loginsDb, secret }: Pick<AccountsDatabase, 'loginsDb' | 'secret'>,
  { origin, isSecure, oidc, hashOf, listInvited, users, onLinked, onTrouble }: LoginOptions,
): Promise<HandleLogin> {
  const [{ betterAuth }, { APIError }, { twoFactor }] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
    import('better-auth/plugins/two-factor'),
  ]);
  /** Known before, as better-auth asks for them in the transaction that adds a user. */
  const invited = new AsyncLocalStorage<readonly string[]>();
  const auth = betterAuth({
    appName: 'Tributary',
    baseURL: origin,
    basePath: '/api/auth',
    secret,
    database: await toKysely(loginsDb),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: {
        hash: hashOf,
        verify: ({ password, hash }) => verifyPassword(password, hash),
      },
    },
    user: {
      validateUserInfo({ user: { email, emailVerified }, source }) {
        if (source.action !== 'create-user') return;
        if (emailVerified !== true) return { error: 'account_not_linked' };
        if (invited.getStore()?.includes(toEmail(`${email}`) ?? '')) return;
        return { error: 'signup_disabled' };
      },
    },
    session: { expiresIn: SESSION_S, updateAge: DAY_S },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: isSecure,
      ipAddress: { disableIpTracking: true },
      database: { generateId: ({ model }) => (model === 'user' ? newUserId() : randomUUID()) },
    },
    databaseHooks: {
      account: { create: { after: ({ userId }) => onLinked(userId) } },
      session: {
        create: {
          async before({ userId }, request) {
            if (request?.path !== CODE_PATH) return;
            if (await users.spendCode(userId, `${request.body?.code}`)) return;
            throw new APIError('UNAUTHORIZED', { message: CODE_USED });
          },
          async after({ userId, token }, request) {
            if (request?.context.session) await users.endAllBefore(userId, token);
          },
        },
      },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // For unsolicited or outdated responses from the provider. What is no refusal is for the caller to answer.
    onAPIError: { errorURL: '/sign-in', throw: true },
    logger: { level: 'error', log: (_level, message) => onTrouble(String(message)) },
    plugins: [
      twoFactor({ issuer: 'Tributary', accountLockout: { enabled: false } }),
      ...(oidc ? [await toProvider(oidc, onTrouble)] : []),
    ],
  });
  return async (request) => {
    const isOfProvider = oidc !== undefined && OF_PROVIDER.test(new URL(request.url).pathname);
    if (!isOfProvider) return auth.handler(request);
    const answer = await invited.run(await listInvited(), () => auth.handler(request)); // The provider's document is read on first use.
    const foreign = findForeignIssuer((await auth.$context).socialProviders, oidc);
    if (foreign === undefined) return answer;
    onTrouble(
      `The identity provider at OIDC_ISSUER=${oidc.issuer} calls itself ${foreign} in its discovery document. Nobody is signed in there. If it is the right one, set OIDC_ISSUER to that.`,
    );
    return refuseProvider(request);
  };
}

function refuseProvider({ method }: Request): Response {
  if (method === 'POST') return Response.json({ code: FOREIGN_ISSUER }, { status: 503 });
  const headers = { location: `/sign-in?error=${FOREIGN_ISSUER}` };
  return new Response(null, { status: 302, headers });
}

/** Paths of sign-ins at the provider. */
const OF_PROVIDER = /\/(sign-in\/social|callback\/oidc)$/;

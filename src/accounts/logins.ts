import { randomUUID } from 'node:crypto';
import { COOKIE_PREFIX } from './cookies.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { AccountsDatabase } from './open-database.ts';
import { hashPassword, PASSWORD_LENGTH, verifyPassword } from './password.ts';

/** Options for better-auth. */
export type LoginOptions = {
  /** The server's public URL; if unset, any host name works. */
  readonly baseUrl: string | undefined;
  /** Whether browsers use https only. */
  readonly isSecure: boolean;
  /** The identity provider, if there is one. */
  readonly oidc: OidcSettings | undefined;
  /** Called when a login is linked to the provider, by the address that the provider has verified. */
  onLinked(userId: string): void;
  onTrouble(message: string): void;
};

/** Answers a request under `/api/auth/`, as documented by better-auth. */
export type HandleLogin = (request: Request) => Promise<Response>;

const DAY_S = 86_400;
const SESSION_S = 30 * DAY_S;

/** The origin of inner requests if no public URL is set. The caller has already checked the real origin. */
const INNER_ORIGIN = 'http://tributary.invalid';

/**
 * Sets up better-auth: passwords, sessions, two-factor authentication.
 *
 * - There is no sign-up: people come by link. No IP address is stored, and nothing is reported or fetched.
 * - People who use the provider already have a login here: a verified address finds it the first time,
 *   the provider's own id afterwards.
 * - Its rate limit and origin check are off: they need IP addresses and a fixed host name. Ours come first.
 */
export async function createLogins(
  { db, secret }: AccountsDatabase,
  { baseUrl, isSecure, oidc, onLinked, onTrouble }: LoginOptions,
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
    onAPIError: { errorURL: '/sign-in' }, // For unsolicited or outdated responses from the provider.
    logger: { level: 'error', log: (_level, message) => onTrouble(String(message)) },
    plugins: [twoFactor({ issuer: 'Tributary' }), ...(oidc ? [await toProvider(oidc)] : [])],
  });
  return (request) => auth.handler(request);
}

async function toProvider({ issuer, clientId, clientSecret, name }: OidcSettings) {
  const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
  return genericOAuth({
    config: [
      {
        ...{ providerId: 'oidc', name, clientId, clientSecret },
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        scopes: ['openid', 'email', 'profile'],
        requireIdTokenVerification: true,
        disableSignUp: true,
      },
    ],
  });
}

/** `user_` and a random id, so that it never equals a key's id. */
export function newUserId(): string {
  return `user_${randomUUID()}`;
}

/** The origin that better-auth is configured with. */
export function toOrigin(baseUrl: string | undefined): string {
  return baseUrl === undefined ? INNER_ORIGIN : new URL(baseUrl).origin;
}

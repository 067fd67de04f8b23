import { createHmac, timingSafeEqual } from 'node:crypto';

/** The prefix of our cookies' names. Over https, `__Secure-` comes before it. */
export const COOKIE_PREFIX = 'tributary';
const SECURE_PREFIX = '__Secure-';

const VALUE_LENGTH_MAX = 500;
const YEAR_S = 365 * 86_400;

/** The secret that signs cookies, and whether they are sent over https only. */
export type CookieOptions = { readonly secret: string; readonly isSecure: boolean };

/** The full name of one of our cookies. */
export function toCookieName(name: string, { isSecure }: Pick<CookieOptions, 'isSecure'>): string {
  return `${isSecure ? SECURE_PREFIX : ''}${COOKIE_PREFIX}.${name}`;
}

/** Reads one cookie from a `Cookie` header. */
export function readCookie(cookies: string | undefined, name: string): string | undefined {
  const value = cookies
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return value === undefined || value.length > VALUE_LENGTH_MAX ? undefined : value;
}

/** Signs a text, for URLs and cookies. */
export function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Verifies a signature in either base64. */
export function isSigned(text: string, signature: string, secret: string): boolean {
  const sent = Buffer.from(signature, 'base64');
  const expected = Buffer.from(sign(text, secret), 'base64url');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * Recognises known browsers by a signed cookie.
 *
 * - Why: guesses from elsewhere must not slow down a user in their usual browser.
 */
export function createKnownBrowsers(options: CookieOptions) {
  const name = toCookieName('known', options);
  const toText = (email: string) => `known browser of ${email}`;
  return {
    remember(email: string): string {
      const secure = options.isSecure ? '; Secure' : '';
      return `${name}=${sign(toText(email), options.secret)}; Max-Age=${YEAR_S}; Path=/; HttpOnly; SameSite=Lax${secure}`;
    },
    isKnown: (cookies: string | undefined, email: string): boolean =>
      isSigned(toText(email), readCookie(cookies, name) ?? '', options.secret),
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/** The start of the cookies' names, and what browsers ask for behind https. */
export const COOKIE_PREFIX = 'tributary';
const SECURE_PREFIX = '__Secure-';

const VALUE_LENGTH_MAX = 500;
const YEAR_S = 365 * 86_400;

/** How cookies are signed, and whether browsers send them by https alone. */
export type CookieOptions = { readonly secret: string; readonly isSecure: boolean };

/** The full name of one of our cookies. */
export function toCookieName(name: string, { isSecure }: Pick<CookieOptions, 'isSecure'>): string {
  return `${isSecure ? SECURE_PREFIX : ''}${COOKIE_PREFIX}.${name}`;
}

/** The value of a cookie among those of a request. */
export function readCookie(cookies: string | undefined, name: string): string | undefined {
  const value = cookies
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return value === undefined || value.length > VALUE_LENGTH_MAX ? undefined : value;
}

/** Whether a signature in base64 is ours. */
export function isSigned(text: string, signature: string, secret: string): boolean {
  const sent = Buffer.from(signature, 'base64');
  const expected = createHmac('sha256', secret).update(text).digest();
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** Remembers in which browsers somebody has signed in before. */
export interface KnownBrowsers {
  /** The `Set-Cookie` of a browser in which the person has signed in. */
  remember(email: string): string;
  isKnown(cookies: string | undefined, email: string): boolean;
}

/**
 * Known browsers by a signed cookie.
 *
 * - Why: guesses from elsewhere slow down whoever guesses, and not the person at the usual browser.
 */
export function createKnownBrowsers(options: CookieOptions): KnownBrowsers {
  const name = toCookieName('known', options);
  const toText = (email: string) => `known browser of ${email}`;
  return {
    remember(email) {
      const value = createHmac('sha256', options.secret).update(toText(email)).digest('base64url');
      const secure = options.isSecure ? '; Secure' : '';
      return `${name}=${value}; Max-Age=${YEAR_S}; Path=/; HttpOnly; SameSite=Lax${secure}`;
    },
    isKnown: (cookies, email) =>
      isSigned(toText(email), readCookie(cookies, name) ?? '', options.secret),
  };
}

import { ok, type Result, refuse } from '#domain/result.ts';

/** The identity provider that people can sign in with, in addition to passwords. */
export type OidcSettings = {
  /** Its URL without a trailing slash; `/.well-known/openid-configuration` is below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Its name on the sign-in button. */
  readonly name: string;
};

/** Reads the provider's settings; `undefined` if none is set. If one is set, all are required, and BASE_URL. */
export function readOidcSettings(
  read: <T>(name: string, otherwise: T, parse: (text: string) => T | undefined, of: string) => T,
  baseUrl: string | undefined,
): Result<OidcSettings | undefined, string> {
  const url = 'an https URL, such as https://login.example.com';
  const issuer = read('OIDC_ISSUER', undefined, toIssuer, url);
  const clientId = read('OIDC_CLIENT_ID', undefined, String, 'a text');
  const clientSecret = read('OIDC_CLIENT_SECRET', undefined, String, 'a text');
  const name = read('OIDC_NAME', 'single sign-on', String, 'a text');
  const all = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const entries = Object.entries({ ...all, BASE_URL: baseUrl });
  if (Object.values(all).every((value) => value === undefined)) return ok(undefined);
  const missing = entries.filter(([, value]) => value === undefined).map(([each]) => each);
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || missing[0]) {
    return refuse(`OpenID Connect also needs ${missing.join(' and ')}.`);
  }
  return ok({ issuer, clientId, clientSecret, name });
}

/** Requires https, because anybody on the network path could sign in as anybody; except on this machine. */
function toIssuer(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '') return undefined;
  const isNear = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
  return url.protocol === 'https:' || isNear ? text.replace(/\/+$/, '') : undefined;
}

import { ok, type Result, refuse } from '#domain/result.ts';
import type { Read } from './mail-settings.ts';

/** The identity provider by which people sign in, besides their passwords here. */
export type OidcSettings = {
  /** Its address, without a slash at the end; `/.well-known/openid-configuration` is below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button to sign in calls it. */
  readonly name: string;
};

/** How people sign in at a provider; nothing where none is named. All of it is needed, and BASE_URL. */
export function readOidcSettings(
  read: Read,
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
    return refuse(`To sign in at a provider, ${missing.join(' and ')} must be set, too.`);
  }
  return ok({ issuer, clientId, clientSecret, name });
}

/** Without https, anybody on the way could sign in as anybody: only this machine is near enough. */
function toIssuer(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '') return undefined;
  const isNear = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
  return url.protocol === 'https:' || isNear ? text.replace(/\/+$/, '') : undefined;
}

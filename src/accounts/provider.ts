import { buffer } from 'node:stream/consumers';
import { toName } from '#domain/account/user.ts';
import { sendGuarded } from '#enrich/guarded-request.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** What the identity provider is called in the paths and rows of better-auth. */
const PROVIDER_ID = 'oidc';
const REDIRECTS_MAX = 5;

/** The identity provider as better-auth takes it, whose requests are guarded from now on. */
export async function toProvider(oidc: OidcSettings, onTrouble: (message: string) => void) {
  const { issuer, clientId, clientSecret, name } = oidc;
  guardFetch(issuer, onTrouble);
  const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
  return genericOAuth({
    config: [
      {
        ...{ providerId: PROVIDER_ID, name, clientId, clientSecret },
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        scopes: ['openid', 'email', 'profile'],
        requireIdTokenVerification: true,
        mapProfileToUser: ({ name, email }) => ({ name: toName(`${name ?? ''}`) ?? `${email}` }),
      },
    ],
  });
}

/**
 * The issuer that the provider's own document names, where that is another one than was set: the provider's
 * tokens would be checked against that. A slash at the end makes no difference.
 *
 * - Source: OpenID Connect Discovery 1.0, 4.3; better-auth does not compare them.
 */
export function findForeignIssuer(
  known: readonly { readonly id: string; readonly issuer?: string | undefined }[],
  { issuer }: OidcSettings,
): string | undefined {
  const own = known.find(({ id }) => id === PROVIDER_ID)?.issuer;
  return own === undefined || own.replace(/\/+$/, '') === issuer ? undefined : own;
}

/**
 * Makes this process's `fetch` send through {@link sendGuarded}: better-auth takes no other, and nothing else fetches.
 * Only the host of `trustedUrl`, with its port, is trusted. `onFailure` is called with the reason for no answer.
 */
export function guardFetch(trustedUrl: string, onFailure: (reason: string) => void): void {
  const { host } = new URL(trustedUrl);
  async function send(asked: Request, redirectsMax: number): Promise<Response> {
    const { method, redirect, signal } = asked;
    const url = new URL(asked.url);
    const answer = await sendGuarded(url, {
      headers: { ...Object.fromEntries(asked.headers), 'accept-encoding': 'identity' },
      body: Buffer.from(await asked.arrayBuffer()),
      ...{ method, signal, isTrusted: url.host === host },
    });
    const { location, 'content-type': type = '' } = answer.headers;
    const body = await buffer(answer);
    if (location !== undefined && redirect === 'follow' && redirectsMax > 0) {
      return send(new Request(new URL(location, url), { signal }), redirectsMax - 1);
    }
    const status = answer.statusCode ?? 0;
    return new Response(body, { status, headers: { 'content-type': type } });
  }
  globalThis.fetch = (input, init) =>
    send(new Request(input, init), REDIRECTS_MAX).catch((error: Error) => {
      onFailure(error.message);
      throw error;
    });
}

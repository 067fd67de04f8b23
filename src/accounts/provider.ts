import type { OidcSettings } from './oidc-settings.ts';
import { toName } from './person.ts';

/** What the identity provider is called in the paths and rows of better-auth. */
const PROVIDER_ID = 'oidc';

/** The identity provider as better-auth takes it. */
export async function toProvider({ issuer, clientId, clientSecret, name }: OidcSettings) {
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

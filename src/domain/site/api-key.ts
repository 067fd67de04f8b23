import type { KeyScope } from './scope.ts';

/** An API key without its secret, which only the owner knows. */
export type ApiKey = {
  readonly id: string;
  /** Empty for a key without a site, which can read `/metrics`. */
  readonly siteId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** The key's first and last characters, for display. */
  readonly prefix: string;
  readonly last4: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** Up to a minute late. */
  readonly lastUsedAt: number | undefined;
};

/** The request to create a key. */
export type NewApiKey = {
  readonly siteId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: number | undefined;
};

/** A new key. Its secret is never shown again. */
export type CreatedKey = { readonly id: string; readonly key: string };

/** The state of a key at this instant. */
export function stateOfKey({ revokedAt, expiresAt }: ApiKey, at: number) {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt === undefined || at < expiresAt ? 'live' : 'expired';
}

/** The domain of the demo shop. `.example` is reserved, so nobody owns it. */
export const DEMO_DOMAIN = 'demo.example';

/** The name of the key that fills the shop, which expires within a day and is revoked when the shop is full. */
export const DEMO_KEY = 'demo';

/** A key of the shop, as far as it tells whether the shop is full. */
type Key = { readonly name: string } & Readonly<Record<'expiresAt' | 'revokedAt', unknown>>;

/** Whether a key is left that was to fill the shop: a command is still at it, or was broken off. */
export function isDemoUnfinished(keys: readonly Key[]): boolean {
  return keys.some(
    ({ name, expiresAt, revokedAt }) =>
      name === DEMO_KEY && expiresAt !== undefined && revokedAt === undefined,
  );
}

import type { Connection } from '#domain/site/connection.ts';
import type { ConnectionSecrets } from '../provider.ts';
import { type SealedSecrets, UNREADABLE, unseal } from './seal.ts';

const KEPT_MAX = 1_000;

/** What a connection has been given, decrypted, without secrets that have run out. */
export type OpenSecrets = (connection: Connection, at: number) => ConnectionSecrets;

const FAULT =
  'Its secrets cannot be read: SECRET_KEY, or the file secrets.key in DATA_DIR, is not the one that encrypted them. Restore it, or give the secrets again.';

/** Opens secrets, and keeps them open: each delivery needs them. */
export function createOpenSecrets(key: () => Buffer): OpenSecrets {
  const opened = new Map<string, SealedSecrets>();
  return ({ sealed, siteId, settings }, at) => {
    const known = opened.get(sealed) ?? unseal(sealed, key(), siteId);
    if (opened.size >= KEPT_MAX) opened.clear();
    opened.set(sealed, known);
    const live = known.signingSecrets.filter(({ until = Infinity }) => until > at);
    const { apiKey } = known;
    const fault = known === UNREADABLE ? { fault: FAULT } : {};
    return { signingSecrets: live.map(({ secret }) => secret), apiKey, settings, ...fault };
  };
}

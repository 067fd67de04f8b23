import type { Connection } from '#domain/site/connection.ts';
import type { ConnectionSecrets } from '../provider.ts';
import { type SealedSecrets, unseal } from './seal.ts';

const KEPT_MAX = 1_000;

/** What a connection has been given, decrypted, without secrets that have run out. */
export type OpenSecrets = (connection: Connection, at: number) => ConnectionSecrets;

/** Opens secrets, and keeps them open: each delivery needs them. */
export function createOpenSecrets(key: () => Buffer): OpenSecrets {
  const opened = new Map<string, SealedSecrets>();
  return ({ sealed, siteId, settings }, at) => {
    const known = opened.get(sealed) ?? unseal(sealed, key(), siteId);
    if (opened.size >= KEPT_MAX) opened.clear();
    opened.set(sealed, known);
    const live = known.signingSecrets.filter(({ until = Infinity }) => until > at);
    const { apiKey } = known;
    return { signingSecrets: live.map(({ secret }) => secret), apiKey, settings };
  };
}

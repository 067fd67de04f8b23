import { type ApiKey, stateOfKey } from '#domain/site/api-key.ts';
import { toIsoOrNull } from '#domain/time/to-iso-or-null.ts';
import type { KeyAnswer } from './keys.ts';

/** A key, as far as it is shown again. */
export function toKeyAnswer(key: ApiKey): KeyAnswer {
  return {
    ...{ id: key.id, name: key.name, scopes: [...key.scopes] },
    ...{ prefix: key.prefix, last4: key.last4, state: stateOfKey(key, Date.now()) },
    created_at: new Date(key.createdAt).toISOString(),
    expires_at: toIsoOrNull(key.expiresAt),
    revoked_at: toIsoOrNull(key.revokedAt),
    last_used_at: toIsoOrNull(key.lastUsedAt),
  };
}

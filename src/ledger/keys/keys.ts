import { randomUUID } from 'node:crypto';
import type { Scope } from '#contract/scope.ts';
import type { Sql, SqlRow, SqlValue } from '#storage/sql/sql.ts';
import { fingerprintOf, mintKey } from './api-key.ts';

/** An API key without its secret, which only the owner knows. */
export type ApiKey = {
  readonly id: string;
  /** Empty for a key without a site, which can read `/metrics`. */
  readonly siteId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
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
export type NewKey = {
  readonly siteId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | undefined;
};

/** A new key. Its secret is never shown again. */
export type CreatedKey = { readonly id: string; readonly key: string };

/** The keys of the ledger. */
export interface KeyStore {
  createKey(key: NewKey): Promise<CreatedKey>;
  /** All keys of one site or of all, including revoked and expired ones, oldest first. */
  listKeys(siteId?: string): Promise<readonly ApiKey[]>;
  /** Revokes a key and returns it, if it exists. Idempotent. */
  revokeKey(id: string): Promise<ApiKey | undefined>;
  /** Creates a copy of a key. The old key stays valid for the overlap. Undefined if the old key is not valid. */
  rotateKey(id: string, options: { readonly overlapMs: number }): Promise<CreatedKey | undefined>;
}

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createKeyStore(sql: Sql, now: () => number): KeyStore {
  async function findById(id: string): Promise<ApiKey | undefined> {
    const row = await sql.get('SELECT * FROM keys WHERE id = ?', id);
    return row && toApiKey(row);
  }

  async function createKey({ siteId, name, scopes, expiresAt }: NewKey): Promise<CreatedKey> {
    const key = mintKey();
    const id = `key_${randomUUID()}`;
    const { sha256, prefix, last4 } = fingerprintOf(key);
    await sql.run(
      `INSERT INTO keys (id, site_id, name, sha256, prefix, last4, scopes, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, siteId || null, name, sha256, prefix, last4],
      ...[JSON.stringify(scopes), now(), expiresAt ?? null],
    );
    return { id, key };
  }

  return {
    createKey,
    async listKeys(siteId) {
      const rows =
        siteId === undefined
          ? await sql.all('SELECT * FROM keys ORDER BY created_at, id')
          : await sql.all('SELECT * FROM keys WHERE site_id = ? ORDER BY created_at, id', siteId);
      return rows.map(toApiKey);
    },
    async revokeKey(id) {
      const revoke = 'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?';
      await sql.run(revoke, now(), id);
      return findById(id);
    },
    async rotateKey(id, { overlapMs }) {
      const old = await findById(id);
      if (old === undefined || stateOf(old, now()) !== 'live') return undefined;
      const lifetimeMs = old.expiresAt && old.expiresAt - old.createdAt;
      const expiresAt = lifetimeMs && now() + lifetimeMs;
      const endsAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now() + overlapMs);
      await sql.run('UPDATE keys SET expires_at = ? WHERE id = ?', endsAt, id);
      return createKey({ siteId: old.siteId, name: old.name, scopes: old.scopes, expiresAt });
    },
  };
}

/** The state of a key at this instant. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, at: number) {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt === undefined || at < expiresAt ? 'live' : 'expired';
}

/** Reads a row of `keys`. */
export function toApiKey(row: SqlRow): ApiKey {
  return {
    id: String(row.id),
    siteId: String(row.site_id ?? ''),
    name: String(row.name),
    scopes: JSON.parse(String(row.scopes)),
    prefix: String(row.prefix),
    last4: String(row.last4),
    createdAt: Number(row.created_at),
    expiresAt: toInstant(row.expires_at),
    revokedAt: toInstant(row.revoked_at),
    lastUsedAt: toInstant(row.last_used_at),
  };
}

function toInstant(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

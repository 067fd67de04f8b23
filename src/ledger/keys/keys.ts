import { randomUUID } from 'node:crypto';
import { type ApiKey, type CreatedKey, type NewApiKey, stateOfKey } from '#domain/site/api-key.ts';
import type { Sql, SqlRow, SqlValue } from '#storage/sql/sql.ts';
import { fingerprintOf, mintKey } from './api-key.ts';

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createKeyStore(sql: Sql, now: () => number) {
  async function findById(id: string): Promise<ApiKey | undefined> {
    const row = await sql.get('SELECT * FROM keys WHERE id = ?', id);
    return row && toApiKey(row);
  }

  async function createKey({ siteId, name, scopes, expiresAt }: NewApiKey): Promise<CreatedKey> {
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
    async listKeys(siteId?: string): Promise<readonly ApiKey[]> {
      const rows =
        siteId === undefined
          ? await sql.all('SELECT * FROM keys ORDER BY created_at, id')
          : await sql.all('SELECT * FROM keys WHERE site_id = ? ORDER BY created_at, id', siteId);
      return rows.map(toApiKey);
    },
    async revokeKey(id: string) {
      const revoke = 'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?';
      await sql.run(revoke, now(), id);
      return findById(id);
    },
    async rotateKey(
      id: string,
      { overlapMs }: { readonly overlapMs: number },
    ): Promise<CreatedKey | undefined> {
      const old = await findById(id);
      if (old === undefined || stateOfKey(old, now()) !== 'live') return undefined;
      const lifetimeMs = old.expiresAt && old.expiresAt - old.createdAt;
      const expiresAt = lifetimeMs && now() + lifetimeMs;
      const endsAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now() + overlapMs);
      await sql.run('UPDATE keys SET expires_at = ? WHERE id = ?', endsAt, id);
      return createKey({ siteId: old.siteId, name: old.name, scopes: old.scopes, expiresAt });
    },
  };
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

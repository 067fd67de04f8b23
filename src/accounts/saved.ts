import { randomUUID } from 'node:crypto';
import type { Saved, SavedKind } from '#domain/account/saved.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

/** Creates the saved items on a connection. */
export function createSavedThings(sql: Sql, now: () => number) {
  return {
    async list(siteId: string, kind: SavedKind, userId = ''): Promise<Saved[]> {
      const rows = await sql.all(
        `SELECT * FROM saved WHERE site_id = ? AND kind = ? AND (user_id IS NULL OR user_id = ?)
         ORDER BY created_at, id`,
        ...[siteId, kind, userId],
      );
      return rows.map(toSaved);
    },
    async add(
      siteId: string,
      kind: SavedKind,
      { userId, content }: Pick<Saved, 'userId' | 'content'>,
    ): Promise<Saved> {
      const id = randomUUID().slice(0, ID_LENGTH);
      const createdAt = now();
      await sql.run(
        `INSERT INTO saved (id, site_id, kind, user_id, content, created_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        ...[id, siteId, kind, userId ?? null, JSON.stringify(content), createdAt],
      );
      return { id, userId, content, createdAt };
    },
    async set({ id, userId, content }: Pick<Saved, 'id' | 'userId' | 'content'>): Promise<void> {
      const change = 'UPDATE saved SET user_id = ?, content = ? WHERE id = ?';
      await sql.run(change, userId ?? null, JSON.stringify(content), id);
    },
    async remove(id: string): Promise<void> {
      await sql.run('DELETE FROM saved WHERE id = ?', id);
    },
    async removeAll(siteId: string): Promise<void> {
      await sql.run('DELETE FROM saved WHERE site_id = ?', siteId);
    },
  };
}

/** Short, because ids appear in URLs: `1b4e28ba-2fa1`. They need not be secret. */
const ID_LENGTH = 13;

function toSaved(row: SqlRow): Saved {
  return {
    id: String(row.id),
    userId: row.user_id === null ? undefined : String(row.user_id),
    content: JSON.parse(String(row.content)),
    createdAt: Number(row.created_at),
  };
}

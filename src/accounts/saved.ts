import { randomUUID } from 'node:crypto';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

/** The kinds of items that people save for a site. */
export type SavedKind = 'segment' | 'funnel' | 'annotation';

/** A saved item. */
export type Saved = {
  readonly id: string;
  /** The owner of a personal item; `undefined` if the whole site shares it. */
  readonly userId: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
};

/** Saved items by site and kind, shared and personal. */
export interface SavedThings {
  /** Shared items and the user's own, oldest first. */
  list(siteId: string, kind: SavedKind, userId?: string): Promise<readonly Saved[]>;
  add(siteId: string, kind: SavedKind, thing: Pick<Saved, 'userId' | 'content'>): Promise<Saved>;
  /** Replaces an item's content and owner. */
  set(thing: Pick<Saved, 'id' | 'userId' | 'content'>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes all saved items of a site. */
  removeAll(siteId: string): Promise<void>;
}

/** Creates the saved items on a connection. */
export function createSavedThings(sql: Sql, now: () => number): SavedThings {
  return {
    async list(siteId, kind, userId = '') {
      const rows = await sql.all(
        `SELECT * FROM saved WHERE site_id = ? AND kind = ? AND (user_id IS NULL OR user_id = ?)
         ORDER BY created_at, id`,
        ...[siteId, kind, userId],
      );
      return rows.map(toSaved);
    },
    async add(siteId, kind, { userId, content }) {
      const id = randomUUID().slice(0, ID_LENGTH);
      const createdAt = now();
      await sql.run(
        `INSERT INTO saved (id, site_id, kind, user_id, content, created_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        ...[id, siteId, kind, userId ?? null, JSON.stringify(content), createdAt],
      );
      return { id, userId, content, createdAt };
    },
    async set({ id, userId, content }) {
      const change = 'UPDATE saved SET user_id = ?, content = ? WHERE id = ?';
      await sql.run(change, userId ?? null, JSON.stringify(content), id);
    },
    async remove(id) {
      await sql.run('DELETE FROM saved WHERE id = ?', id);
    },
    async removeAll(siteId) {
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

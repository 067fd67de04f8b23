import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

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
  /** Shared items and the person's own, oldest first. */
  list(siteId: string, kind: SavedKind, userId?: string): readonly Saved[];
  add(siteId: string, kind: SavedKind, thing: Pick<Saved, 'userId' | 'content'>): Saved;
  /** Replaces an item's content and owner. */
  set(thing: Pick<Saved, 'id' | 'userId' | 'content'>): void;
  remove(id: string): void;
  /** Removes all saved items of a site. */
  removeAll(siteId: string): void;
}

/** Creates the saved items in the accounts database. */
export function createSavedThings(db: DatabaseSync, now: () => number): SavedThings {
  const list = db.prepare(`
    SELECT * FROM saved
    WHERE site_id = ? AND kind = ? AND (user_id IS NULL OR user_id = ?) ORDER BY created_at, id`);
  const insert = db.prepare(`
    INSERT INTO saved (id, site_id, kind, user_id, content, created_at) VALUES (?, ?, ?, ?, ?, ?)`);
  const update = db.prepare('UPDATE saved SET user_id = ?, content = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM saved WHERE id = ?');
  const removeAll = db.prepare('DELETE FROM saved WHERE site_id = ?');
  return {
    list: (siteId, kind, userId = '') => list.all(siteId, kind, userId).map(toSaved),
    add(siteId, kind, { userId, content }) {
      const id = randomUUID().slice(0, ID_LENGTH);
      const createdAt = now();
      insert.run(id, siteId, kind, userId ?? null, JSON.stringify(content), createdAt);
      return { id, userId, content, createdAt };
    },
    set({ id, userId, content }) {
      update.run(userId ?? null, JSON.stringify(content), id);
    },
    remove(id) {
      remove.run(id);
    },
    removeAll(siteId) {
      removeAll.run(siteId);
    },
  };
}

/** Short, because ids appear in URLs: `1b4e28ba-2fa1`. They need not be secret. */
const ID_LENGTH = 13;

function toSaved(row: Record<string, SQLOutputValue>): Saved {
  return {
    id: String(row.id),
    userId: row.user_id === null ? undefined : String(row.user_id),
    content: JSON.parse(String(row.content)),
    createdAt: Number(row.created_at),
  };
}

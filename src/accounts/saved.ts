import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** What people save for a site. */
export type SavedKind = 'segment' | 'funnel' | 'annotation';

/** Something that is saved. */
export type Saved = {
  readonly id: string;
  /** Whose own it is; undefined where the whole site shares it. */
  readonly userId: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
};

/** What people save: of each kind and site, with what everybody shares and what is somebody's own. */
export interface SavedThings {
  /** Those that are shared, and the own ones of a person; in the order of their making. */
  list(siteId: string, kind: SavedKind, userId?: string): readonly Saved[];
  add(siteId: string, kind: SavedKind, thing: Pick<Saved, 'userId' | 'content'>): Saved;
  /** Writes what a thing holds now, and whose it is. */
  set(thing: Pick<Saved, 'id' | 'userId' | 'content'>): void;
  remove(id: string): void;
  /** Removes what is saved for a site: all of it, or what is a person's own. */
  removeAll(siteId: string, userId?: string): void;
}

/** What is saved, on a connection to the file of people. */
export function createSavedThings(db: DatabaseSync, now: () => number): SavedThings {
  const list = db.prepare(`
    SELECT * FROM saved
    WHERE site_id = ? AND kind = ? AND (user_id IS NULL OR user_id = ?) ORDER BY created_at, id`);
  const insert = db.prepare(`
    INSERT INTO saved (id, site_id, kind, user_id, content, created_at) VALUES (?, ?, ?, ?, ?, ?)`);
  const update = db.prepare('UPDATE saved SET user_id = ?, content = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM saved WHERE id = ?');
  const removeAll = db.prepare(
    'DELETE FROM saved WHERE site_id = ?1 AND (?2 IS NULL OR user_id = ?2)',
  );
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
    removeAll(siteId, userId) {
      removeAll.run(siteId, userId ?? null);
    },
  };
}

/** Short, as it is part of addresses: `1b4e28ba-2fa1`. Nothing hangs on it being secret. */
const ID_LENGTH = 13;

function toSaved(row: Record<string, SQLOutputValue>): Saved {
  return {
    id: String(row.id),
    userId: row.user_id === null ? undefined : String(row.user_id),
    content: JSON.parse(String(row.content)),
    createdAt: Number(row.created_at),
  };
}

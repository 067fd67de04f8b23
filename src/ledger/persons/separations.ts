import type { DatabaseSync } from 'node:sqlite';
import type { PersonKey } from './person-book.ts';

/** Undone joins. */
export interface Separations {
  /** Prevents these keys from joining the visitor from now on. */
  add(siteId: string, visitorId: string, keys: readonly PersonKey[], at: number): void;
  /** Removes the keys that the fact's visitor was separated from. */
  leaveOut(siteId: string, keys: PersonKey[]): PersonKey[];
}

/** Creates the separations on a ledger connection. Its writes run in the caller's transaction. */
export function createSeparations(db: DatabaseSync): Separations {
  const save = db.prepare('INSERT OR IGNORE INTO separations VALUES (?, ?, ?, ?, ?)');
  const find = db.prepare('SELECT kind, key FROM separations WHERE site_id = ? AND visitor_id = ?');
  return {
    add(siteId, visitorId, keys, at) {
      for (const { kind, key } of keys) save.run(siteId, visitorId, kind, key, at);
    },
    leaveOut(siteId, keys) {
      const visitor = keys.find(({ kind }) => kind === 'visitor');
      if (visitor === undefined) return keys;
      const separated = find.all(siteId, visitor.key);
      if (separated.length === 0) return keys;
      return keys.filter(
        (each) => !separated.some((row) => row.kind === each.kind && row.key === each.key),
      );
    },
  };
}

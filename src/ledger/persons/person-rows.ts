import type { Sql } from '#storage/sql/sql.ts';
import { lockVersions } from '../schema/counters.ts';

interface PersonRows {
  /** Marks a key whose person may have changed. Only visitors and transactions have rows. */
  mark(siteId: string, kind: string, key: string): void;
  /** Marks every key of a person. */
  markAll(person: number): Promise<void>;
  /** Writes the rows of marked keys whose person id differs from the recorded one. */
  write(): Promise<void>;
}

/**
 * Creates the rows for a transaction.
 *
 * - Shape: a person id is the id of its first visitor, or `~` and a number if it began without one. No visitor
 *   id has that form. A visitor without joins has no row.
 */
export function createPersonRows(sql: Sql): PersonRows {
  let marked = new Map<string, readonly [siteId: string, kind: string, key: string]>();

  function mark(siteId: string, kind: string, key: string): void {
    if (kind !== 'visitor' && kind !== 'transaction') return;
    marked.set(`${kind} ${siteId} ${key}`, [siteId, kind, key]);
  }

  return {
    mark,
    async markAll(person) {
      const keys = 'SELECT site_id, kind, key FROM person_keys WHERE person = ?';
      for (const row of await sql.all(keys, person)) {
        mark(String(row.site_id), String(row.kind), String(row.key));
      }
    },
    async write() {
      if (marked.size === 0) return;
      const changed = marked.values();
      marked = new Map();
      const versions = await lockVersions(sql, 'persons');
      for (const [siteId, kind, key] of changed) {
        const alone = kind === 'visitor' ? key : '';
        const name = (await sql.get(NAME_OF, siteId, kind, key))?.person_id ?? alone;
        const known = (await sql.get(LISTED, siteId, kind, key))?.person_id;
        if (name === (known ?? alone)) continue;
        await sql.run(SAVE, siteId, kind, key, name, versions.next());
      }
      await versions.save();
    },
  };
}

const NAME_OF = `
  SELECT coalesce(people.visitor_id, '~' || people.person) AS person_id
  FROM person_keys JOIN people USING (person)
  WHERE person_keys.site_id = ? AND kind = ? AND key = ?`;
const LISTED = 'SELECT person_id FROM persons WHERE site_id = ? AND kind = ? AND key = ?';
const SAVE = `
  INSERT INTO persons (site_id, kind, key, person_id, version) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (site_id, kind, key)
  DO UPDATE SET person_id = excluded.person_id, version = excluded.version`;

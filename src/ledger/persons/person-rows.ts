import type { DatabaseSync } from 'node:sqlite';

/** The rows of `persons`, which ship to the warehouse. Each change gets the next version. */
export interface PersonRows {
  /** Marks a key whose person may have changed. Only visitors and transactions have rows. */
  mark(siteId: string, kind: string, key: string): void;
  /** Marks every key of a person. */
  markAll(person: number): void;
  /** Writes the rows of marked keys whose person id differs from the recorded one. */
  write(): void;
}

/**
 * Creates the rows on a ledger connection. Its writes run in the caller's transaction.
 *
 * - Shape: a person id is the id of its first visitor, or `~` and a number if it began without one. No visitor
 *   id has that form. A visitor without joins has no row.
 */
export function createPersonRows(db: DatabaseSync): PersonRows {
  const keysOf = db.prepare('SELECT site_id, kind, key FROM person_keys WHERE person = ?');
  const nameOf = db.prepare(`
    SELECT coalesce(people.visitor_id, '~' || people.person) AS person_id
    FROM person_keys JOIN people USING (person)
    WHERE person_keys.site_id = ? AND kind = ? AND key = ?`);
  const listed = db.prepare(
    'SELECT person_id FROM persons WHERE site_id = ? AND kind = ? AND key = ?',
  );
  const save = db.prepare(`
    INSERT INTO persons (site_id, kind, key, person_id, version) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET person_id = excluded.person_id, version = excluded.version`);
  const nextVersion = db.prepare(
    "UPDATE counters SET value = value + 1 WHERE name = 'persons' RETURNING value",
  );
  let marked = new Map<string, readonly [siteId: string, kind: string, key: string]>();

  function mark(siteId: string, kind: string, key: string): void {
    if (kind !== 'visitor' && kind !== 'transaction') return;
    marked.set(`${kind} ${siteId} ${key}`, [siteId, kind, key]);
  }

  return {
    mark,
    markAll(person) {
      for (const row of keysOf.all(person)) {
        mark(String(row.site_id), String(row.kind), String(row.key));
      }
    },
    write() {
      const changed = marked.values();
      marked = new Map();
      for (const [siteId, kind, key] of changed) {
        const alone = kind === 'visitor' ? key : '';
        const name = String(nameOf.get(siteId, kind, key)?.person_id ?? alone);
        const known = listed.get(siteId, kind, key)?.person_id;
        if (name === (known ?? alone)) continue;
        save.run(siteId, kind, key, name, Number(nextVersion.get()?.value));
      }
    },
  };
}

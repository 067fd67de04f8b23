import type { DatabaseSync } from 'node:sqlite';

/** The rows of `persons`, which the warehouse gets: each change takes the next version. */
export interface PersonRows {
  /** A key's person may have changed. Only visitors and transactions have rows. */
  mark(siteId: string, kind: string, key: string): void;
  /** Every key of a person may have changed. */
  markAll(person: number): void;
  /** Writes the rows of the marked keys whose person has another name than the warehouse knows. */
  write(): void;
}

/**
 * The rows on a connection to the ledger. Its writes belong in the caller's transaction.
 *
 * - Shape: a person is named after the visitor it began with; one that began with none is named by
 *   `~` and a number, which no visitor's id can be. A visitor who is a person alone has no row.
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

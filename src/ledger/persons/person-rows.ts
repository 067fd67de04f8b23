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
  let marked = new Map<string, Mark>();

  function mark(siteId: string, kind: string, key: string): void {
    if (kind !== 'visitor' && kind !== 'transaction') return;
    marked.set(`${kind} ${siteId} ${key}`, [siteId, kind, key]);
  }

  async function readIds(text: string, asked: readonly string[]): Promise<Map<string, string>> {
    const rows = await sql.arrays(text, ...asked);
    return new Map(rows.map(([key, id]) => [String(key), String(id)]));
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
      const bySiteAndKind = Map.groupBy(marked.values(), ([siteId, kind]) => `${siteId} ${kind}`);
      marked = new Map();
      const versions = await lockVersions(sql, 'persons');
      for (const marks of bySiteAndKind.values()) {
        const [[siteId, kind]] = marks as [Mark];
        const keys = marks.map(([, , key]) => key);
        const asked = [siteId, kind, JSON.stringify(keys)] as const;
        const [names, known] = [await readIds(NAMES_OF, asked), await readIds(LISTED, asked)];
        const rows = keys.flatMap((key) => {
          const alone = kind === 'visitor' ? key : '';
          const name = names.get(key) ?? alone;
          if (name === (known.get(key) ?? alone)) return [];
          return [[siteId, kind, key, name, versions.next()]];
        });
        await sql.insert({ ...SAVED, rows });
      }
      await versions.save();
    },
  };
}

type Mark = readonly [siteId: string, kind: string, key: string];

const NAMES_OF = `
  SELECT key, coalesce(people.visitor_id, '~' || people.person)
  FROM person_keys JOIN people USING (person)
  WHERE person_keys.site_id = ? AND kind = ? AND key IN (SELECT value FROM json_each(?))`;
const LISTED = `SELECT key, person_id FROM persons
  WHERE site_id = ? AND kind = ? AND key IN (SELECT value FROM json_each(?))`;
const SAVED = {
  into: 'persons',
  columns: ['site_id', 'kind', 'key', 'person_id', 'version'],
  end: `ON CONFLICT (site_id, kind, key)
    DO UPDATE SET person_id = excluded.person_id, version = excluded.version`,
};

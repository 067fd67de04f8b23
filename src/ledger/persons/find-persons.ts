import type { DatabaseSync } from 'node:sqlite';
import type { PersonRow } from '#contract/rows/person-row.ts';

/** Finds rows of `persons` by the version of their last change. */
export type FindPersons = (
  versions: { readonly after: number; readonly upTo: number },
  limit: number,
) => PersonRow[];

/** Creates a function that finds rows whose last change is in a version range, earliest first. */
export function createFindPersons(db: DatabaseSync): FindPersons {
  const find = db.prepare(`
    SELECT site_id, kind, key, person_id, version FROM persons
    WHERE version > ? AND version <= ? ORDER BY version LIMIT ?`);
  return ({ after, upTo }, limit) => find.all(after, upTo, limit) as unknown as PersonRow[];
}

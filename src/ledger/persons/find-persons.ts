import type { PersonRow } from '#contract/rows/person-row.ts';
import type { Sql } from '#storage/sql/sql.ts';
import type { VersionRange } from '../payments/find-payments.ts';

/** Finds rows of `persons` by the version of their last change, earliest first. */
export async function findPersons(
  sql: Sql,
  { after, upTo }: VersionRange,
  limit: number,
): Promise<PersonRow[]> {
  const find = `SELECT site_id, kind, key, person_id, version FROM persons
    WHERE version > ? AND version <= ? ORDER BY version LIMIT ?`;
  const rows = await sql.all(find, after, upTo, limit);
  return rows as unknown as PersonRow[];
}

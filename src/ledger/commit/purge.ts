import type { Sql } from '#storage/sql/sql.ts';

/** Deletes the oldest rows from before an instant, so few that it never delays a commit. Returns false if more are left. */
export async function purge(
  sql: Sql,
  table: 'answers' | 'event_ids',
  before: number,
  rowsMax: number,
): Promise<boolean> {
  const deleted = await sql.run(
    `DELETE FROM ${table} WHERE id <= (
      SELECT max(id) FROM (SELECT id, created_at FROM ${table} ORDER BY id LIMIT ${rowsMax}) AS oldest
      WHERE created_at < ?)`,
    before,
  );
  return deleted < rowsMax;
}

import type { DatabaseSync } from 'node:sqlite';

/** A deletion of the oldest rows from before an instant, so few that it never delays a commit: false if more are left. */
export function preparePurge(db: DatabaseSync, table: 'answers' | 'event_ids', rowsMax: number) {
  const purge = db.prepare(`
    DELETE FROM ${table} WHERE id <= (
      SELECT max(id) FROM (SELECT id, created_at FROM ${table} ORDER BY id LIMIT ${rowsMax})
      WHERE created_at < ?)`);
  return (before: number) => Number(purge.run(before).changes) < rowsMax;
}

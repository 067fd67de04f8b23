import type { Warehouse } from './client.ts';
import { SCHEMA } from './schema.ts';

/** Makes whatever the schema has and the warehouse lacks. Safe to repeat. */
export async function applySchema(warehouse: Warehouse): Promise<void> {
  for (const sql of SCHEMA) await warehouse.command({ sql });
  for (const table of await findUnsyncedMerges(warehouse)) {
    await warehouse.command({
      sql: `ALTER TABLE ${table} MODIFY SETTING min_rows_to_fsync_after_merge = 1`,
    });
  }
}

/**
 * Tables of earlier releases, which do not fsync what they merge: a start soon after a merge removes
 * the merged parts' origins, and a power cut soon after that the merged part.
 */
async function findUnsyncedMerges(warehouse: Warehouse): Promise<string[]> {
  const rows = await warehouse.select<{ name: string }>({
    sql: `SELECT name FROM system.tables
      WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
        AND engine_full NOT LIKE '%min_rows_to_fsync_after_merge%'`,
  });
  return rows.map(({ name }) => name);
}

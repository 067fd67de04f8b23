import type { Warehouse } from '#warehouse/client.ts';
import { TABLES } from '#warehouse/schema.ts';
import { type Count, toCount } from './count.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/**
 * Parts of the warehouse whose files are damaged: those that do not match the engine's checksums now,
 * and those that it put away when it started. No count when there are none.
 *
 * Why every file is read: a damaged column that no count touches is found by its checksum alone.
 */
export async function countBrokenParts(warehouse: Warehouse): Promise<Count[]> {
  const counts: Count[] = [];
  for (const table of TABLES) counts.push(...(await checkTable(warehouse, table)));
  const putAway = await warehouse.select<{ table: string }>({
    sql: `SELECT table FROM system.detached_parts
      WHERE database = currentDatabase() AND reason LIKE 'broken%'`,
  });
  if (putAway.length > 0) {
    counts.push(toCount('broken parts that the engine put away', 0, putAway.length));
  }
  return counts;
}

async function checkTable(warehouse: Warehouse, table: string): Promise<Count[]> {
  const parts = await warehouse.select<{ is_passed: number }>(
    { sql: `CHECK TABLE ${table}` },
    RECOUNT_LIMITS,
  );
  const broken = parts.filter((part) => part.is_passed !== 1).length;
  return broken === 0 ? [] : [toCount(`broken parts of ${table}`, 0, broken)];
}

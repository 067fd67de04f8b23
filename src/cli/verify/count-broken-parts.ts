import type { Warehouse } from '#warehouse/client/client.ts';
import { countDetachedParts } from '#warehouse/count-detached-parts.ts';
import { type Check, RECOUNT_LIMITS, toCount } from './count.ts';

/**
 * Counts the warehouse's damaged parts: those whose checksums do not match, and those that the
 * engine detached when it started. Returns no counts if there are none.
 *
 * - Why every file is read: only its checksum reveals a damaged column that no count reads.
 * - Why by partition: a large table would exceed the time limit of a query.
 */
export async function countBrokenParts(warehouse: Warehouse): Promise<Check[]> {
  const partitions = await warehouse.select<{ table: string; id: string }>({
    sql: `SELECT DISTINCT table, partition_id AS id FROM system.parts
      WHERE active AND database = currentDatabase() ORDER BY table, id`,
  });
  const brokenByTable = new Map<string, number>();
  for (const { table, id } of partitions) {
    const parts = await warehouse.select<{ is_passed: number }>(
      { sql: `CHECK TABLE ${table} PARTITION ID '${id}'` },
      RECOUNT_LIMITS,
    );
    const broken = parts.filter((part) => part.is_passed !== 1).length;
    if (broken > 0) brokenByTable.set(table, (brokenByTable.get(table) ?? 0) + broken);
  }
  const counts = [...brokenByTable].map(([table, n]) => toCount(`broken parts of ${table}`, 0, n));
  const detached = await countDetachedParts(warehouse);
  if (detached > 0) counts.push(toCount('broken parts that the engine put away', 0, detached));
  return counts;
}

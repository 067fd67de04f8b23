import type { Warehouse } from '#warehouse/client.ts';
import { countPutAway } from '#warehouse/count-put-away.ts';
import { TABLES } from '#warehouse/schema.ts';
import { type Count, toCount } from './count.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/** A table of so many bytes is read within seconds; of a larger one, each partition is a question. */
const WHOLE_MAX_BYTES = 1_000_000_000;

/**
 * Parts of the warehouse whose files are damaged: those that do not match the engine's checksums now,
 * and those that it put away when it started. No count when there are none.
 *
 * Why every file is read: a damaged column that no count touches is found by its checksum alone.
 */
export async function countBrokenParts(
  warehouse: Warehouse,
  wholeMaxBytes = WHOLE_MAX_BYTES,
): Promise<Count[]> {
  const partitions = await findPartitions(warehouse, wholeMaxBytes);
  const counts: Count[] = [];
  for (const table of TABLES) {
    const ids = partitions.get(table);
    const scopes = ids?.map((id) => `${table} PARTITION ID '${id}'`) ?? [table];
    let broken = 0;
    for (const scope of scopes) broken += await countBrokenOf(warehouse, scope);
    if (broken > 0) counts.push(toCount(`broken parts of ${table}`, 0, broken));
  }
  const putAway = await countPutAway(warehouse);
  if (putAway > 0) counts.push(toCount('broken parts that the engine put away', 0, putAway));
  return counts;
}

/** The partitions of each table that is larger. */
async function findPartitions(warehouse: Warehouse, wholeMaxBytes: number) {
  const tables = await warehouse.select<{ table: string; ids: string[] }>({
    sql: `SELECT table, arraySort(groupUniqArray(partition_id)) AS ids FROM system.parts
      WHERE active AND database = currentDatabase()
      GROUP BY table HAVING sum(bytes_on_disk) > {whole_max:UInt64}`,
    params: { whole_max: wholeMaxBytes },
  });
  return new Map(tables.map(({ table, ids }) => [table, ids]));
}

async function countBrokenOf(warehouse: Warehouse, scope: string): Promise<number> {
  const parts = await warehouse.select<{ is_passed: number }>(
    { sql: `CHECK TABLE ${scope}` },
    RECOUNT_LIMITS,
  );
  return parts.filter((part) => part.is_passed !== 1).length;
}

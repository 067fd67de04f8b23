import type { Warehouse } from './client/client.ts';

/** The number of broken parts that the engine detached when it started. */
export async function countDetachedParts(warehouse: Pick<Warehouse, 'select'>): Promise<number> {
  const [row] = await warehouse.select<{ parts: string }>({
    sql: `SELECT count() AS parts FROM system.detached_parts
      WHERE database = currentDatabase() AND reason LIKE 'broken%'`,
  });
  return Number(row?.parts);
}

import type { Warehouse } from './client.ts';

/** How many broken parts the engine put away when it started. */
export async function countPutAway(warehouse: Pick<Warehouse, 'select'>): Promise<number> {
  const [row] = await warehouse.select<{ parts: string }>({
    sql: `SELECT count() AS parts FROM system.detached_parts
      WHERE database = currentDatabase() AND reason LIKE 'broken%'`,
  });
  return Number(row?.parts);
}

import type { Warehouse } from '../client.ts';
import { assertRoom } from './assert-room.ts';
import { SCHEMA } from './schema.ts';

/**
 * Makes whatever the schema has and the warehouse lacks; answers how many tables and views. Safe to repeat.
 *
 * Throws UnavailableError when something is missing and the disk has no room for it.
 */
export async function applySchema(warehouse: Warehouse): Promise<number> {
  const tables = await warehouse.select<{ name: string }>({
    sql: 'SELECT name FROM system.tables WHERE database = currentDatabase()',
  });
  const present = new Set(tables.map(({ name }) => name));
  const missing = Object.entries(SCHEMA).filter(([name]) => !present.has(name));
  if (missing.length > 0) await assertRoom(warehouse);
  for (const [, sql] of missing) await warehouse.command({ sql });
  return missing.length;
}

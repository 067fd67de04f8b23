import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';
import { SCHEMA } from './schema.ts';

/**
 * Makes whatever the schema has and the warehouse lacks; returns how many tables and views. Safe to repeat.
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

/** What the engine needs at least before it writes a definition of a table. */
export const ROOM_BYTES = 16_000_000;

/**
 * Throws UnavailableError when the warehouse's disk has no room for definitions of tables.
 *
 * Why: on a full disk the engine leaves the file of a definition empty, and can read the table nevermore.
 */
export async function assertRoom(warehouse: Pick<Warehouse, 'select'>): Promise<void> {
  const [disk] = await warehouse.select<{ free: string }>({
    sql: 'SELECT toString(min(free_space)) AS free FROM system.disks',
  });
  if (Number(disk?.free) < ROOM_BYTES) throw new UnavailableError('The disk is full.');
}

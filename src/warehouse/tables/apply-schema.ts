import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';
import { SCHEMA } from './schema.ts';

/**
 * Creates missing tables and views. Returns their number. Idempotent.
 *
 * Throws UnavailableError if something is missing and the disk is full.
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

/** Free space that the engine needs before it writes a table definition. */
export const ROOM_BYTES = 16_000_000;

/**
 * Throws UnavailableError if the warehouse's disk has no room for table definitions.
 *
 * Why: on a full disk, the engine leaves a definition file empty and can never read the table again.
 */
export async function assertRoom(warehouse: Pick<Warehouse, 'select'>): Promise<void> {
  const [disk] = await warehouse.select<{ free: string }>({
    sql: 'SELECT toString(min(free_space)) AS free FROM system.disks',
  });
  if (Number(disk?.free) < ROOM_BYTES) throw new UnavailableError('The disk is full.');
}

import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';

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

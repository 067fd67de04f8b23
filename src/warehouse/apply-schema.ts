import type { Warehouse } from './client.ts';
import { SCHEMA } from './schema.ts';

/** Makes whatever the schema has and the warehouse lacks. Safe to repeat. */
export async function applySchema(warehouse: Warehouse): Promise<void> {
  for (const sql of SCHEMA) await warehouse.command({ sql });
}

import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from './client/client.ts';
import { MONEY_COLUMNS } from './tables/ledger-tables.ts';
import { SCHEMA, selectOf, VIEWS, viewOf } from './tables/schema.ts';
import { ARRIVALS } from './tables/visits.ts';

/**
 * Creates missing tables and views, and adds missing columns. Returns the number of tables and views. Idempotent, also
 * where several threads begin at once.
 *
 * Throws UnavailableError if something is missing and the disk is full.
 */
export async function applySchema(warehouse: Warehouse): Promise<number> {
  const tables = await warehouse.select<Found>({
    sql: 'SELECT name, as_select FROM system.tables WHERE database = currentDatabase()',
  });
  const present = new Map(tables.map(({ name, as_select }) => [name, as_select]));
  const missing = Object.entries(SCHEMA).filter(([name]) => !present.has(name));
  const lacking = await findLacking(warehouse, present);
  if (missing.length + lacking.length > 0) await assertRoom(warehouse);
  for (const { table, column } of lacking) {
    await warehouse.command({ sql: `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column}` });
    const view = VIEWS.find((each) => each.table === table);
    if (view === undefined || !present.has(viewOf(table))) continue;
    // In one step: no event is inserted without a view.
    await warehouse.command({ sql: `ALTER TABLE ${viewOf(table)} MODIFY QUERY ${selectOf(view)}` });
  }
  for (const [, sql] of missing) await warehouse.command({ sql });
  for (const name of FORMER_TABLES.filter((former) => present.has(former))) {
    await warehouse.command({ sql: `DROP TABLE IF EXISTS ${name}` });
  }
  return missing.length;
}

type Found = { readonly name: string; readonly as_select: string };

/** The added columns that a table of an older version, or its view, lacks. */
async function findLacking(
  warehouse: Warehouse,
  present: ReadonlyMap<string, string>,
): Promise<AddedColumn[]> {
  const columns = await warehouse.select<{ name: string }>({
    sql: `SELECT concat(table, '.', name) AS name FROM system.columns WHERE database = currentDatabase()`,
  });
  const known = new Set(columns.map(({ name }) => name));
  return ADDED_COLUMNS.filter(({ table, column }) => {
    const [name = ''] = column.split(' ');
    if (!present.has(table)) return false;
    return !known.has(`${table}.${name}`) || present.get(viewOf(table))?.includes(name) === false;
  });
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

/** A column that tables of an older version lack. Rows from before have its default, until they are shipped again or rebuilt. */
type AddedColumn = {
  /** The version that has it. The first release had version 1. */
  readonly version: number;
  readonly table: string;
  /** Its definition, which begins with its name. */
  readonly column: string;
};

/** The columns that were added since the first release, oldest first. */
const ADDED_COLUMNS: readonly AddedColumn[] = [
  { version: 2, table: 'visits', column: ARRIVALS },
  { version: 3, table: 'payments', column: 'is_dispute UInt8' },
  ...MONEY_COLUMNS.map((column) => ({ version: 4, table: 'payments', column })),
];

/** Tables of older versions that nobody reads. */
const FORMER_TABLES = ['rates'];

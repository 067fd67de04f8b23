import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';
import { assertRoom } from '../tables/assert-room.ts';
import { TABLES } from '../tables/schema.ts';

const LOOK_EVERY_MS = 200;
/** Old parts are rewritten in the background; a large history takes its time. */
const MUTATIONS_MAX_MS = 600_000;
/** The kind of the row that is there before all others: memory that is lost is lost with it. */
const FIRST = 'first';
/** Batches may be many. */
const ADDED_AT_ONCE = 100_000;

/** Adds names of a kind to the table. */
export type AddNames = (kind: string, keys: readonly string[]) => Promise<void>;

/**
 * Does work whose mutations read a table of names, which is empty at first and gone at the end.
 *
 * - Why names stand in a table, and in memory: the text of a mutation is kept in a file.
 * - Why it stays when the work fails: a mutation may go on in the engine. Without the table it would fail for ever,
 *   and so would every one after it.
 * - What an earlier run has begun ends first, with the names of that run or, after a new start of the engine, with
 *   none: the work is repeated as a whole.
 */
export async function withNames(
  warehouse: Warehouse,
  table: string,
  work: (add: AddNames) => Promise<void>,
): Promise<void> {
  const columns = '(kind String, key String) ENGINE = Memory';
  await warehouse.command({ sql: `CREATE TABLE IF NOT EXISTS ${table} ${columns}` });
  await mutationsDone(warehouse);
  await assertRoom(warehouse);
  await warehouse.command({ sql: `DROP TABLE IF EXISTS ${table}` });
  await warehouse.command({ sql: `CREATE TABLE ${table} ${columns}` });
  await warehouse.command({ sql: `INSERT INTO ${table} VALUES ('${FIRST}', '')` });
  await work(async (kind, keys) => {
    for (let from = 0; from < keys.length; from += ADDED_AT_ONCE) {
      const some = keys.slice(from, from + ADDED_AT_ONCE);
      const lines = some.map((key) => `${JSON.stringify({ kind, key })}\n`).join('');
      await warehouse.insertLines(table, Buffer.from(lines));
    }
  });
  await assertKept(warehouse, table);
  await warehouse.command({ sql: `DROP TABLE IF EXISTS ${table}` });
}

/** The engine may have been started anew between two statements: what came after took out nothing. */
async function assertKept(warehouse: Warehouse, table: string): Promise<void> {
  const first = await warehouse.select({
    sql: `SELECT 1 FROM ${table} WHERE kind = '${FIRST}' LIMIT 1`,
  });
  if (first.length === 0) throw new UnavailableError('The engine was started anew meanwhile.');
}

/** SQL of a condition: an event came in a batch that the table names. */
export function inNamedBatch(table: string): string {
  return `batch_id IN (SELECT toUInt64OrZero(key) FROM ${table} WHERE kind = 'batch')`;
}

/** Resolves when every part is rewritten; throws UnavailableError when that takes long. */
export async function mutationsDone(warehouse: Pick<Warehouse, 'select'>): Promise<void> {
  const tables = TABLES.map((table) => `'${table}'`).join(', ');
  for (const until = performance.now() + MUTATIONS_MAX_MS; ; await sleep(LOOK_EVERY_MS)) {
    const [row] = await warehouse.select<{ left: string }>({
      sql: `SELECT count() AS left FROM system.mutations
        WHERE database = currentDatabase() AND table IN (${tables}) AND NOT is_done`,
    });
    if (row?.left === '0') return;
    if (performance.now() > until) throw new UnavailableError('Old parts are still rewritten.');
  }
}

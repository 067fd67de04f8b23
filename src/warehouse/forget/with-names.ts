import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';
import { assertRoom } from '../tables/apply-schema.ts';
import { TABLES } from '../tables/schema.ts';
import { FSYNCED } from '../tables/table-settings.ts';

const LOOK_EVERY_MS = 50;
/** Old parts are rewritten in the background; a large history takes its time. */
const MUTATIONS_MAX_MS = 600_000;

/** Adds names of a kind to the table. */
export type AddNames = (kind: string, keys: readonly string[]) => Promise<void>;

/**
 * Does work whose mutations read a table of names, which is gone at the end.
 *
 * - Why names stand in a table: the text of a mutation is kept in a file.
 * - Why the table stays when the work fails: a mutation may go on in the engine, also after a new start. It ends
 *   before the next run begins with names of its own.
 */
export async function withNames(
  warehouse: Warehouse,
  table: string,
  work: (add: AddNames) => Promise<void>,
): Promise<void> {
  await mutationsDone(warehouse);
  await assertRoom(warehouse);
  await warehouse.command({ sql: `DROP TABLE IF EXISTS ${table} SYNC` });
  await warehouse.command({
    sql: `CREATE TABLE ${table} (kind String, key String) ENGINE = MergeTree ORDER BY () SETTINGS ${FSYNCED}`,
  });
  await work(async (kind, keys) => {
    const lines = keys.map((key) => `${JSON.stringify({ kind, key })}\n`).join('');
    await warehouse.insertLines(table, Buffer.from(lines));
  });
  await warehouse.command({ sql: `DROP TABLE IF EXISTS ${table} SYNC` });
}

/** SQL of a condition: an event came in a batch that the table names. */
export function inNamedBatch(table: string): string {
  return `batch_id IN (SELECT toUInt64OrZero(key) FROM ${table} WHERE kind = 'batch')`;
}

/** Resolves when every part is rewritten. Why no answer is waited for: it may take longer than a request. */
export async function mutate(
  warehouse: Warehouse,
  what: string,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  await warehouse.command({ sql: `ALTER TABLE ${what} SETTINGS mutations_sync = 0`, params });
  await mutationsDone(warehouse);
}

/** Throws UnavailableError when it takes long. */
async function mutationsDone(warehouse: Pick<Warehouse, 'select'>): Promise<void> {
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

import { UnavailableError } from '#domain/unavailable.ts';
import { waitUntil } from '#jobs/wait.ts';
import type { Warehouse } from '../client/client.ts';
import { TABLES } from '../tables/schema.ts';

const POLL_EVERY_MS = 50;
/** Parts are rewritten in the background, which takes long for a large history. */
const MUTATIONS_MAX_MS = 600_000;

/**
 * Runs a mutation. Resolves when every part is rewritten. Throws UnavailableError on timeout.
 *
 * - Why mutations instead of lightweight deletes: the latter only hide rows until a merge removes them.
 * - Why it polls: a mutation may take longer than a request.
 */
export async function mutate(
  warehouse: Warehouse,
  what: string,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  await warehouse.command({ sql: `ALTER TABLE ${what} SETTINGS mutations_sync = 0`, params });
  await mutationsDone(warehouse);
}

/** Resolves when no mutation is running. Throws UnavailableError on timeout. */
export async function mutationsDone(warehouse: Pick<Warehouse, 'select'>): Promise<void> {
  const tables = TABLES.map((table) => `'${table}'`).join(', ');
  const sql = `SELECT count() AS left FROM system.mutations
    WHERE database = currentDatabase() AND table IN (${tables}) AND NOT is_done`;
  const areDone = await waitUntil(
    async () => (await warehouse.select<{ left: string }>({ sql }))[0]?.left === '0',
    { everyMs: POLL_EVERY_MS, maxMs: MUTATIONS_MAX_MS },
  );
  if (!areDone) throw new UnavailableError('Old parts are still being rewritten.');
}

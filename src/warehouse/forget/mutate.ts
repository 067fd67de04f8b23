import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';
import { TABLES } from '../tables/schema.ts';

const LOOK_EVERY_MS = 50;
/** Old parts are rewritten in the background; a large history takes its time. */
const MUTATIONS_MAX_MS = 600_000;

/**
 * Resolves when every part is rewritten. Throws UnavailableError when it takes long.
 *
 * - Why mutations and not lightweight deletes: these only hide rows, until some merge takes them out.
 * - Why no answer is waited for: it may take longer than a request.
 */
export async function mutate(
  warehouse: Warehouse,
  what: string,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  await warehouse.command({ sql: `ALTER TABLE ${what} SETTINGS mutations_sync = 0`, params });
  await mutationsDone(warehouse);
}

/** Resolves when no mutation is left. Throws UnavailableError when it takes long. */
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

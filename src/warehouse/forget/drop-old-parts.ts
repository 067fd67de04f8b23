import { UnavailableError } from '#domain/unavailable.ts';
import { waitUntil } from '#jobs/wait.ts';
import type { Warehouse } from '../client/client.ts';
import { OLD_PARTS_KEPT } from '../tables/table-settings.ts';

const TABLES = ['events', 'visits', 'visitors', 'payments', 'persons', 'costs'] as const;
/** A month before the earliest accepted event. Tables without monthly partitions have no such partition either. */
const EMPTY_PARTITION = '190001';
const PARTS_GONE_MAX_MS = 40_000;
const POLL_EVERY_MS = 500;

/**
 * Resolves when the parts that mutations and merges have replaced so far are deleted from disk.
 *
 * - Why the lifetime of old parts is otherwise a minute: their replacements are then certainly on disk. A power cut
 *   within seconds of an erasure may require a rebuild of the warehouse.
 * - Why empty partitions are dropped: that makes the engine clean up old parts.
 */
export async function dropOldParts(warehouse: Warehouse): Promise<void> {
  const tables = TABLES.map((table) => `'${table}'`).join(', ');
  const [clock] = await warehouse.select<{ at: string }>({ sql: 'SELECT toString(now()) AS at' });
  try {
    for (const table of TABLES) {
      await warehouse.command({
        sql: `ALTER TABLE ${table} MODIFY SETTING old_parts_lifetime = 1`,
      });
    }
    const areGone = await waitUntil(
      async () => {
        for (const table of TABLES) {
          await warehouse.command({
            sql: `ALTER TABLE ${table} DROP PARTITION ID '${EMPTY_PARTITION}'`,
          });
        }
        const [row] = await warehouse.select<{ old: string }>({
          sql: `SELECT count() AS old FROM system.parts
            WHERE database = currentDatabase() AND table IN (${tables}) AND NOT active
              AND remove_time <= toDateTime({at:String})`,
          params: { at: clock?.at },
        });
        return row?.old === '0';
      },
      { everyMs: POLL_EVERY_MS, maxMs: PARTS_GONE_MAX_MS },
    );
    if (!areGone) throw new UnavailableError('Old parts are still on disk.');
  } finally {
    for (const table of TABLES) {
      await warehouse.command({ sql: `ALTER TABLE ${table} MODIFY SETTING ${OLD_PARTS_KEPT}` });
    }
  }
}

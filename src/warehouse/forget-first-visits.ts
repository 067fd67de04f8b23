import type { Statement, Warehouse } from './client.ts';
import { WHOLE_LIMITS } from './question-limits.ts';

/**
 * Takes rows out of `payers_first_visits` for which a condition holds, and resolves when they are.
 *
 * - A run that lacks a row counts no more (settle-payers.ts), and is made anew.
 * - Why not the whole run: a question that was told of it a moment ago would find nobody's first visit.
 */
export async function forgetFirstVisits(
  warehouse: Pick<Warehouse, 'select' | 'command'>,
  { sql, params = {} }: Statement,
): Promise<void> {
  const runs = await warehouse.select<{ run: string }>(
    {
      sql: `SELECT DISTINCT toString(run) AS run FROM payers_first_visits WHERE ${sql}`,
      params,
    },
    WHOLE_LIMITS,
  );
  for (const { run } of runs) {
    await warehouse.command({
      sql: `ALTER TABLE payers_first_visits DELETE IN PARTITION ID '${run}' WHERE ${sql}
        SETTINGS mutations_sync = 2`,
      params,
    });
  }
}

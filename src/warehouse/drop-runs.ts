import type { Statement, Warehouse } from './client.ts';

/**
 * Takes away runs of `payers_first_visits` that have a row for which a condition holds.
 *
 * Why whole runs: a run that lacks a row counts no more (settle-payers.ts), and rewriting what is left takes
 * seconds.
 */
export async function dropRunsWith(
  warehouse: Pick<Warehouse, 'select' | 'command'>,
  { sql, params = {} }: Statement,
): Promise<void> {
  const runs = await warehouse.select<{ run: string }>({
    sql: `SELECT DISTINCT toString(run) AS run FROM payers_first_visits WHERE ${sql}`,
    params,
  });
  for (const { run } of runs) await dropRun(warehouse, run);
}

/** Takes a run away; none when there is none. */
export async function dropRun(warehouse: Pick<Warehouse, 'command'>, run: string): Promise<void> {
  await warehouse.command({ sql: `ALTER TABLE payers_first_visits DROP PARTITION ID '${run}'` });
}

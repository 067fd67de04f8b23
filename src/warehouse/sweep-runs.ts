import type { Warehouse } from './client.ts';

/** Questions under way may still read a run that another has replaced, and others may be making one. */
const UNNAMED_MAX_MS = 15 * 60_000;

/** A table that has a partition for each run. */
export type RunsTable = 'payers_first_visits' | 'returning_visitors';

/** Takes runs out of a table that has a partition for each, some time after nothing names them any more. */
export type SweepRuns = (named: ReadonlySet<string>, there: Iterable<string>) => Promise<void>;

/** A sweep of one table. */
export function createSweepRuns(
  warehouse: Pick<Warehouse, 'command'>,
  table: RunsTable,
): SweepRuns {
  /** Runs that nothing names, by when that was seen first. */
  let unnamed = new Map<string, number>();
  return async (named, there) => {
    const seenBefore = unnamed;
    const left = [...there].filter((run) => !named.has(run));
    unnamed = new Map(left.map((run) => [run, seenBefore.get(run) ?? performance.now()]));
    for (const [run, since] of unnamed) {
      if (performance.now() - since < UNNAMED_MAX_MS) continue;
      await dropRun(warehouse, table, run);
    }
  };
}

/** How many rows each run of such a table has. */
export async function countRunRows(
  warehouse: Pick<Warehouse, 'select'>,
  table: RunsTable,
): Promise<Map<string, number>> {
  const there = await warehouse.select<{ run: string; size: string }>({
    sql: `SELECT partition AS run, sum(rows) AS size FROM system.parts
      WHERE active AND database = currentDatabase() AND table = {table:String}
      GROUP BY run`,
    params: { table },
  });
  return new Map(there.map(({ run, size }) => [run, Number(size)]));
}

/** Takes all rows of a run out at once. */
export async function dropRun(
  warehouse: Pick<Warehouse, 'command'>,
  table: RunsTable,
  run: string,
): Promise<void> {
  await warehouse.command({ sql: `ALTER TABLE ${table} DROP PARTITION ID '${run}'` });
}

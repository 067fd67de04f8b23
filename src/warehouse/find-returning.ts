import type { SelectingWarehouse } from './client.ts';
import { PARTS_OF_RUN } from './returning-visitors-table.ts';

/** A run of rows of `returning_visitors`, and what it was made of (returning-visitors-table.ts). */
export type ReturningRun = {
  /** A whole number of 48 bits. */
  readonly run: string;
  readonly madeAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly countedRuns: readonly number[];
  /** Whether all its rows are there; it does not count otherwise. */
  readonly isWhole: boolean;
};

/** The run that is named for a site. Throws when the warehouse does not answer. */
export async function findReturningRun(
  warehouse: SelectingWarehouse,
  siteId: string,
): Promise<ReturningRun | undefined> {
  const named = 'FROM returning_runs FINAL WHERE site_id = {site:String}';
  const [row] = await warehouse.select<{
    run: string;
    made_at: string;
    starts_at: string;
    ends_at: string;
    counted_runs: readonly string[];
    is_whole: number;
  }>({
    sql: `SELECT toString(run) AS run, toString(made_at) AS made_at, toString(starts_at) AS starts_at,
        toString(ends_at) AS ends_at, arrayMap(one -> toString(one), counted_runs) AS counted_runs,
        toUInt8(size = (SELECT count() FROM returning_visitors
          WHERE site_id = {site:String} AND run = (SELECT run ${named}))) AS is_whole
      ${named}`,
    params: { site: siteId },
  });
  if (row === undefined) return undefined;
  return {
    run: row.run,
    madeAt: Number(row.made_at),
    startsAt: Number(row.starts_at),
    endsAt: Number(row.ends_at),
    countedRuns: row.counted_runs.map(Number),
    isWhole: row.is_whole === 1,
  };
}

/** Numbers of visitors who came since a run's end and whom it did not look for, `limit` of them at most. */
export async function findNotLookedFor(
  warehouse: SelectingWarehouse,
  siteId: string,
  { run, endsAt }: Pick<ReturningRun, 'run' | 'endsAt'>,
  limit: number,
): Promise<string[]> {
  const rows = await warehouse.select<{ came: string }>({
    sql: `SELECT DISTINCT toString(visitor) AS came FROM (${CAME_SINCE})
      WHERE visitor NOT IN (SELECT visitor FROM returning_visitors
        WHERE site_id = {site:String} AND run = {run:UInt64} AND part = '${PARTS_OF_RUN.lookedFor}')
      LIMIT {limit:UInt64}`,
    params: { site: siteId, run, endsAt, limit },
  });
  return rows.map(({ came }) => came);
}

const ENDS_AT = "fromUnixTimestamp64Milli({endsAt:Int64}, 'UTC')";

/** SQL of the `visitor` of every visit and event of a site since an instant. */
export const CAME_SINCE = `
  SELECT visitor FROM visits WHERE site_id = {site:String} AND visit_started_at >= ${ENDS_AT}
  UNION ALL
  SELECT visitor FROM events WHERE site_id = {site:String} AND occurred_at >= ${ENDS_AT}`;

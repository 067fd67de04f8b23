import { setTimeout as sleep } from 'node:timers/promises';
import type { Warehouse } from './client.ts';
import { WHOLE_LIMITS } from './question-limits.ts';

/** A question goes by what it was told up to a second before (report/find-settled.ts), and waits for its turn. */
const TOLD_MAX_MS = 2_000;

/**
 * Takes what was counted ahead of a site's days out, all of it: whatever goes of a day changes those after it, too.
 *
 * - `mutate` resolves when every part is rewritten; it is called with what follows `ALTER TABLE`.
 * - Why that days were counted goes first: a question that was told so would find nothing. And again at the end: a run
 *   that named them meanwhile lacks rows.
 */
export async function forgetCounts(
  warehouse: Pick<Warehouse, 'select'>,
  siteId: string,
  mutate: (what: string, params: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const ofSite = 'WHERE site_id = {site:String}';
  const params = { site: siteId };
  const told = await warehouse.select({
    sql: `SELECT 1 FROM settled_days ${ofSite} LIMIT 1`,
    params,
  });
  if (told.length > 0) {
    await mutate(`settled_days DELETE ${ofSite}`, params);
    await sleep(TOLD_MAX_MS);
  }
  await mutate(`settled_seen DELETE ${ofSite}`, params);
  await mutate(`settled_counts DELETE ${ofSite}`, params);
  // All rows of a run are of one site; and nobody is told of a run whose days are not counted.
  const runs = await warehouse.select<{ run: string }>(
    { sql: `SELECT DISTINCT toString(run) AS run FROM returning_visitors ${ofSite}`, params },
    WHOLE_LIMITS,
  );
  for (const { run } of runs) await mutate(`returning_visitors DROP PARTITION ID '${run}'`, {});
  await mutate(`settled_days DELETE ${ofSite}`, params);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Warehouse } from './client.ts';
import { DAY_OF_RUN } from './settled-counts-table.ts';

/** A question goes by what it was told up to a second before (report/find-settled.ts), and waits for its turn. */
const TOLD_MAX_MS = 2_000;

/**
 * Takes what was counted ahead of a site's days before an instant out, all of it without one.
 *
 * - `mutate` resolves when every part is rewritten; it is called with what follows `ALTER TABLE`.
 * - Why that days were counted goes first: a question that was told so would find nothing. And again at the end: a run
 *   that named them meanwhile lacks rows.
 */
export async function forgetCounts(
  warehouse: Pick<Warehouse, 'select'>,
  { siteId, since }: { readonly siteId: string; readonly since?: number },
  mutate: (what: string, params: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const before = (at: string) => (since === undefined ? '' : ` AND ${at} < {since:Int64}`);
  const days = `WHERE site_id = {site:String}${before('toInt64(day) * 86400000')}`;
  const counts = `WHERE site_id = {site:String}${before('toInt64(quarter) * 900000')}`;
  const seen = `WHERE site_id = {site:String}${before(`toInt64(run % ${DAY_OF_RUN}) * 86400000`)}`;
  const params = { site: siteId, ...(since !== undefined && { since }) };
  const told = await warehouse.select({
    sql: `SELECT 1 FROM settled_days ${days} LIMIT 1`,
    params,
  });
  if (told.length > 0) {
    await mutate(`settled_days DELETE ${days}`, params);
    await sleep(TOLD_MAX_MS);
  }
  await mutate(`settled_seen DELETE ${seen}`, params);
  await mutate(`settled_counts DELETE ${counts}`, params);
  await mutate(`settled_days DELETE ${days}`, params);
}

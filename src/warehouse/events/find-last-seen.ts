import type { Warehouse } from '../client/client.ts';

/** When a site last sent events, in milliseconds. Undefined if not within the last 30 days. */
type LastSeen = {
  readonly pageviewAt: number | undefined;
  readonly eventAt: number | undefined;
};

type Row = { readonly type: string; readonly at: string };

const DURATION_MAX_MS = 2_000;

/** Finds when a site last sent a pageview, and any event. Bots count, because they show that the script works. */
export async function findLastSeen(
  warehouse: Pick<Warehouse, 'select'>,
  siteId: string,
): Promise<LastSeen> {
  const sql = `
    SELECT toString(type) AS type, toString(toUnixTimestamp64Milli(max(occurred_at))) AS at
    FROM events WHERE site_id = {site:String} AND occurred_at >= now() - INTERVAL 30 DAY
    GROUP BY type`;
  const rows = await warehouse.select<Row>(
    { sql, params: { site: siteId } },
    { durationMs: DURATION_MAX_MS },
  );
  const last = (of: readonly Row[]) =>
    of.length === 0 ? undefined : Math.max(...of.map(({ at }) => Number(at)));
  return { pageviewAt: last(rows.filter(({ type }) => type === 'pageview')), eventAt: last(rows) };
}

import type { ReportWarehouse } from '../../ports.ts';

/**
 * When a site's first visit, event or payment was, where `all` begins; `undefined` when it has
 * none.
 *
 * - Units: milliseconds since 1970, UTC.
 */
export async function findEarliest(
  warehouse: ReportWarehouse,
  siteId: string,
): Promise<number | undefined> {
  const [row] = await warehouse.select<{ earliest_at: string | null }>({
    sql: `
      SELECT toUnixTimestamp64Milli(min(at)) AS earliest_at FROM (
        SELECT minOrNull(visit_started_at) AS at FROM visits WHERE site_id = {site:String}
        UNION ALL
        SELECT minOrNull(occurred_at) AS at FROM events WHERE site_id = {site:String}
        UNION ALL
        SELECT minOrNull(occurred_at) AS at FROM payments FINAL WHERE site_id = {site:String}
      )`,
    params: { site: siteId },
  });
  return row?.earliest_at == null ? undefined : Number(row.earliest_at);
}

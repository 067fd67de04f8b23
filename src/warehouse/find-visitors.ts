import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import type { Warehouse } from './client.ts';

/** A visitor is known by its id on one site. */
export type VisitorName = { readonly siteId: string; readonly visitorId: string };

/**
 * What the warehouse knows of each visitor, in the order asked; `undefined` for one never seen.
 *
 * - Throws WarehouseUnavailableError when the engine does not answer.
 */
export async function findVisitors(
  warehouse: Warehouse,
  visitors: readonly VisitorName[],
): Promise<(KnownVisitor | undefined)[]> {
  const rows = await warehouse.select<Row>(
    {
      sql: QUESTION,
      params: {
        sites: [...new Set(visitors.map((visitor) => visitor.siteId))],
        visitors: [...new Set(visitors.map((visitor) => visitor.visitorId))],
      },
    },
    { durationMs: 3_000 },
  );
  const rowsByName = new Map(rows.map((row) => [`${row.site_id} ${row.visitor_id}`, row]));
  return visitors.map(({ siteId, visitorId }) => {
    const row = rowsByName.get(`${siteId} ${visitorId}`);
    return row === undefined ? undefined : toKnownVisitor(row);
  });
}

/** Grouped instead of `FINAL`: only the asked visitors' rows are merged, not their neighbours'. */
const QUESTION = `
SELECT site_id, visitor_id,
  sum(pageviews) > 0 AS has_pageview,
  argMin(bot_class, first_sight) AS bot_class,
  toUnixTimestamp64Milli(max(last_event_at)) AS last_event_at,
  argMaxMerge(last_visit) AS last_visit_tuple,
  toString(last_visit_tuple.1) AS visit_id,
  toUnixTimestamp64Milli(last_visit_tuple.2) AS visit_started_at
FROM visitors
WHERE site_id IN {sites:Array(String)} AND visitor_id IN {visitors:Array(String)}
GROUP BY site_id, visitor_id`;

type Row = {
  readonly site_id: string;
  readonly visitor_id: string;
  readonly has_pageview: number;
  readonly bot_class: string;
  readonly last_event_at: string;
  readonly visit_id: string;
  readonly visit_started_at: string;
};

const NO_VISIT = '00000000-0000-0000-0000-000000000000';

function toKnownVisitor(row: Row): KnownVisitor {
  return {
    botClass: row.bot_class,
    hasPageview: row.has_pageview === 1,
    visitId: row.visit_id === NO_VISIT ? undefined : row.visit_id,
    visitStartedAt: Number(row.visit_started_at),
    lastEventAt: Number(row.last_event_at),
  };
}

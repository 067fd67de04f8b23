import { NO_VISIT_ID, VISIT } from '#contract/rows/visit-row.ts';
import type { KnownVisitor, VisitClass } from '#domain/visit/known-visitor.ts';
import type { Warehouse } from '../client/client.ts';

/** The identity of a visitor: its id on a site. */
type VisitorName = { readonly siteId: string; readonly visitorId: string };

/**
 * Each visitor's state in the warehouse, in the given order; undefined for unknown visitors.
 *
 * - Throws WarehouseUnavailableError if the engine does not answer.
 */
export async function findVisitors(
  warehouse: Warehouse,
  visitors: readonly VisitorName[],
): Promise<(KnownVisitor | undefined)[]> {
  const sites = [...new Set(visitors.map((visitor) => visitor.siteId))];
  const ids = [...new Set(visitors.map((visitor) => visitor.visitorId))];
  const params = { sites, visitors: ids };
  const rows = await warehouse.select<Row>({ sql: QUERY, params }, LIMITS);
  const rowsByName = Map.groupBy(rows, (row) => `${row.site_id} ${row.visitor_id}`);
  const visits = rows.filter((row) => row.visit_id !== NO_VISIT_ID);
  const classes = visits.length === 0 ? [] : await findClasses(warehouse, sites, visits);
  const classById = new Map(classes.map(({ visitId, ...visitClass }) => [visitId, visitClass]));
  return visitors.map(({ siteId, visitorId }) => {
    const known = rowsByName.get(`${siteId} ${visitorId}`);
    return known && toKnownVisitor(known, classById);
  });
}

const LIMITS = { durationMs: 3_000, threadsMax: 1 };

/**
 * Why neither `FINAL` nor `GROUP BY`: a visitor has rows in only a few parts, and merging them here makes each lookup a
 * quarter cheaper for the engine.
 */
const QUERY = `
WITH {visitors:Array(String)} AS ids, arrayMap(id -> cityHash64(id), ids) AS numbers
SELECT site_id, ids[indexOf(numbers, visitor)] AS visitor_id, pageviews,
  toString(first.at) AS first_at, first.bot_class AS bot_class,
  toString(last.at) AS last_at, last.visit_id AS visit_id,
  toString(last.visit_started_at) AS visit_started_at
FROM visitors
WHERE site_id IN {sites:Array(String)}
  AND visitor IN (SELECT cityHash64(arrayJoin({visitors:Array(String)})))`;

type Row = {
  readonly site_id: string;
  readonly visitor_id: string;
  readonly pageviews: string;
  /** The smallest decides. */
  readonly first_at: string;
  readonly bot_class: string;
  /** The largest decides. */
  readonly last_at: string;
  readonly visit_id: string;
  readonly visit_started_at: string;
};

/** Merges the rows of one visitor. */
function toKnownVisitor(
  rows: readonly Row[],
  classById: ReadonlyMap<string, VisitClass>,
): KnownVisitor {
  const first = rows.reduce((a, b) => (Number(b.first_at) < Number(a.first_at) ? b : a));
  const last = rows.reduce((a, b) => (Number(b.last_at) > Number(a.last_at) ? b : a));
  return {
    botClass: first.bot_class,
    hasPageview: rows.some(({ pageviews }) => pageviews !== '0'),
    visitId: last.visit_id === NO_VISIT_ID ? undefined : last.visit_id,
    visitStartedAt: Number(last.visit_started_at),
    lastEventAt: Number(last.last_at),
    visitClass: classById.get(last.visit_id),
  };
}

/** The classes of visits, which only their own table has. */
function findClasses(warehouse: Warehouse, sites: readonly string[], rows: readonly Row[]) {
  const visits = rows.map((row) => row.visit_id);
  const starts = rows.map((row) => Number(row.visit_started_at));
  const statement = { sql: CLASSES, params: { sites, visits, starts } };
  return warehouse.select<VisitClass & { readonly visitId: string }>(statement, LIMITS);
}

const CLASSES = `
SELECT toString(visit_id) AS visitId, ${VISIT.bot_class} AS botClass, ${VISIT.bot_reason} AS botReason
FROM visits FINAL
WHERE site_id IN {sites:Array(String)} AND visit_id IN {visits:Array(UUID)}
  AND visit_started_at IN (
    SELECT fromUnixTimestamp64Milli(arrayJoin({starts:Array(Int64)}), 'UTC'))`;

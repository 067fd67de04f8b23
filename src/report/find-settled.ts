import { VISIT_DAY, VISITS_DIGEST } from '#warehouse/visits-table.ts';
import type { ReportWarehouse } from './ports.ts';
import type { Span } from './question.ts';

const DAY_MS = 86_400_000;
/** Days in between that are not settled break a statement up; so many pieces it may have. */
const SPANS_MAX = 4;
/** A dashboard's questions come together. Facts take about as long from their answer to the warehouse. */
const KNOWN_FOR_MS = 1_000;
const SITES_MAX = 10_000;

/** The spans of time of which a site's visits are settled, ascending. */
export type FindSettled = (warehouse: ReportWarehouse, siteId: string) => Promise<readonly Span[]>;

/**
 * Finds spans of whole days that `settled_visits` holds as `visits` does (warehouse/settle-visits.ts).
 *
 * Why this may be a second old: rows stay there for an hour after their day has changed, so that an answer
 * is of one instant or another, and never of half of one.
 */
export function createFindSettled(knownForMs = KNOWN_FOR_MS): FindSettled {
  const known = new Map<string, { readonly until: number; readonly spans: Promise<Span[]> }>();
  return (warehouse, siteId) => {
    const now = performance.now();
    const before = known.get(siteId);
    if (before !== undefined && before.until > now) return before.spans;
    if (known.size >= SITES_MAX) known.clear();
    const spans = findSpans(warehouse, siteId);
    known.set(siteId, { until: now + knownForMs, spans });
    spans.catch(() => known.delete(siteId));
    return spans;
  };
}

async function findSpans(warehouse: ReportWarehouse, siteId: string): Promise<Span[]> {
  const digests = (table: string) => `
    SELECT ${VISIT_DAY} AS day, ${VISITS_DIGEST} AS digest
    FROM ${table} WHERE site_id = {site:String} GROUP BY day`;
  const [row] = await warehouse.select<{ days: number[] }>({
    sql: `SELECT arraySort(groupArray(day)) AS days FROM (
        SELECT toUInt16(day) AS day
        FROM (${digests('visits')} UNION ALL ${digests('settled_visits')})
        GROUP BY day HAVING count() = 2 AND min(digest) = max(digest))`,
    params: { site: siteId },
  });
  return longest(toSpans(row?.days ?? []));
}

function toSpans(days: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (const day of days) {
    const [startsAt, endsAt] = [day * DAY_MS, (day + 1) * DAY_MS];
    const last = spans.at(-1);
    if (last?.endsAt === startsAt) spans[spans.length - 1] = { ...last, endsAt };
    else spans.push({ startsAt, endsAt });
  }
  return spans;
}

function longest(spans: readonly Span[]): Span[] {
  const length = ({ startsAt, endsAt }: Span) => endsAt - startsAt;
  return spans
    .toSorted((a, b) => length(b) - length(a))
    .slice(0, SPANS_MAX)
    .toSorted((a, b) => a.startsAt - b.startsAt);
}

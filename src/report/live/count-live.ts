import type { LiveAnswer } from '#contract/live.ts';
import { VISIT } from '#contract/rows/visit-row.ts';
import type { Result } from '#domain/result.ts';
import { NONE } from '#domain/row-labels.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { named } from '../dimension.ts';
import { SOURCE } from '../dimensions.ts';
import type { Refusal, ReportSite, ReportStatement, ReportWarehouse } from '../ports.ts';
import { withinLimits } from '../query/answer/within-limits.ts';
import { toIso } from '../query/shape/to-answer-row.ts';
import { createBindings, instant, ofSite } from '../query/sql/rows.ts';
import type { WarehouseOf } from '../scheduler/query-scheduler.ts';

/** Counts the visitors on the site now, with lists of at most `limit` rows. Throws if the warehouse is away. */
type CountLive = (site: ReportSite, limit: number) => Promise<Result<LiveAnswer, Refusal>>;

/** Length of the window, in minutes. */
const MINUTES = 30;
/** Length of the shorter window, in minutes. */
const NEAR_MINUTES = 5;

/** How long an answer is cached, because many dashboards show the same. */
const FRESH_MS = 1_000;
const KEPT_MAX = 1_000;

type Kept = { readonly at: number; readonly answer: Promise<Result<LiveAnswer, Refusal>> };

/** Creates a function that counts current visitors. `now` in milliseconds, UTC. */
export function createCountLive(deps: {
  readonly warehouseOf: WarehouseOf;
  readonly now: () => number;
}): CountLive {
  const kept = new Map<string, Kept>();

  return (site, limit) => {
    const now = deps.now();
    const key = `${site.id} ${limit}`;
    const known = kept.get(key);
    if (known !== undefined && now - known.at < FRESH_MS && now >= known.at) return known.answer;
    const answer = withinLimits(deps.warehouseOf(site), (warehouse) =>
      count(warehouse, site, limit, now),
    );
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, { at: now, answer });
    answer.catch(() => kept.delete(key)); // Do not cache failures.
    return answer;
  };
}

async function count(
  warehouse: ReportWarehouse,
  site: ReportSite,
  limit: number,
  now: number,
): Promise<LiveAnswer> {
  const rows = await warehouse.select<NowRow>(toNowStatement(site, limit, now));
  const of = (kind: NowRow['kind']) => rows.filter((row) => row.kind === kind);
  const toRows = (kind: NowRow['kind']) =>
    of(kind)
      .slice(0, limit)
      .map((row) => ({ value: row.value, visitors: toVisitors(row) }));
  const byMinute = new Map(of('minute').map((row) => [row.value, row]));
  return {
    now: toIso(now),
    visitors: toVisitors(of('all')[0]),
    // Minutes without activity have a row too.
    minutes: Array.from({ length: MINUTES }, (_, minute) => ({
      starts_at: toIso(now - (MINUTES - minute) * MINUTE_MS),
      visitors: Number(byMinute.get(`${minute}`)?.last_30 ?? 0),
      pageviews: Number(byMinute.get(`${minute}`)?.pageviews ?? 0),
    })),
    pages: toRows('page'),
    sources: toRows('source'),
    countries: toRows('country'),
  };
}

function toVisitors(row: NowRow | undefined) {
  return { last_5_minutes: Number(row?.last_5 ?? 0), last_30_minutes: Number(row?.last_30 ?? 0) };
}

/** A row of {@link toNowStatement}: numbers of visitors, and for a minute (counted from 0) also of pageviews. */
type NowRow = {
  readonly kind: 'all' | 'page' | 'source' | 'country' | 'minute';
  readonly value: string;
  readonly last_5: string;
  readonly last_30: string;
  readonly pageviews: string;
};

/** An event's time, but not in the future: a client's clock may be ahead. Late reports keep their own time. */
const AT = 'toUnixTimestamp64Milli(least(occurred_at, accepted_at))';

/** The statement that counts current visitors: in total, by their latest activity, and by minute. */
function toNowStatement(site: ReportSite, limit: number, now: number): ReportStatement {
  const { bind, params } = createBindings();
  const near = bind(now - NEAR_MINUTES * MINUTE_MS, 'Int64');
  const since = now - MINUTES * MINUTE_MS;
  const from = instant(since, bind);
  const minute = `least(intDiv(at - ${bind(since, 'Int64')}, ${MINUTE_MS}), ${MINUTES - 1})`;
  // Events reported by a server do not show that the visitor is present.
  const recent = `
    SELECT visitor_id, visit_id, visit_started_at, type, path, ${AT} AS at
    FROM events
    WHERE ${ofSite({ site }, bind)} AND occurred_at > ${from} AND accepted_at > ${from}
      AND at <= ${bind(now, 'Int64')} AND extends_visit = 1 AND bot_class = '' AND visitor_id != ''`;
  // Not by the set alone: that would search all visits of the site.
  const began = `visit_started_at >= (SELECT minOrNull(visit_started_at) FROM (${recent}))`;
  const visits = `
    SELECT visit_id AS own_visit, ${SOURCE} AS source_name, ${named(VISIT.country, NONE)} AS country_name
    FROM visits FINAL
    WHERE ${ofSite({ site }, bind)} AND ${began}
      AND (visit_started_at, visit_id) IN (SELECT visit_started_at, visit_id FROM (${recent}))`;
  const people = `
    SELECT max(at) AS last_at, argMaxIf(path, at, path != '') AS page, argMax(visit_id, at) AS visit,
      groupArray((${minute}, type = 'pageview')) AS did
    FROM (${recent}) GROUP BY visitor_id`;
  const sql = `
    SELECT fact.1 AS kind, fact.2 AS value, countIf(last_at > ${near}) AS last_5,
      count() AS last_30, sum(fact.3) AS pageviews
    FROM (
      SELECT last_at, arrayJoin(arrayConcat(
        [('all', '', 0), ('page', if(page = '', '${NONE}', page), 0),
          ('source', if(source_name = '', '${NONE}', source_name), 0),
          ('country', if(country_name = '', '${NONE}', country_name), 0)],
        arrayMap(n -> ('minute', toString(n), arrayCount(each -> each.1 = n AND each.2, did)),
          arrayDistinct(did.1)))) AS fact
      FROM (${people}) AS people LEFT JOIN (${visits}) AS visits ON visit = own_visit
    )
    GROUP BY kind, value
    ORDER BY last_5 DESC, last_30 DESC, value
    LIMIT ${bind(Math.max(limit, MINUTES), 'UInt64')} BY kind`;
  return { sql, params };
}

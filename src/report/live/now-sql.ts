import { NONE, named } from '../dimension.ts';
import { visitSource } from '../dimensions/visit/source.ts';
import type { ReportSite, ReportStatement } from '../ports.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { instant } from '../query/sql/rows.ts';

/** How far back now reaches, in minutes. */
export const MINUTES = 30;
/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;
/** How far back its nearer part reaches. */
const NEAR_MINUTES = 5;

/** A row of {@link toNowStatement}'s answer. */
export type NowRow = {
  readonly kind: 'all' | 'page' | 'source' | 'country';
  readonly value: string;
  readonly last_5: string;
  readonly last_30: string;
};

/** A row of {@link toMinutesStatement}'s answer, minutes counted from 0. */
export type MinuteRow = {
  readonly minute: number;
  readonly visitors: string;
  readonly pageviews: string;
};

/**
 * When a visitor did something: their clock may run ahead of ours, and what is told late happened when
 * it happened.
 */
const AT = 'toUnixTimestamp64Milli(least(occurred_at, accepted_at))';

/** The statement that counts who is there, in all and by what each of them did last. */
export function toNowStatement(site: ReportSite, limit: number, now: number): ReportStatement {
  const { bind, params } = createBindings();
  const recent = recentSql(site, now, bind);
  const near = bind(now - NEAR_MINUTES * MINUTE_MS, 'Int64');
  const visits = `
    SELECT visit_id AS own_visit, ${visitSource.sql} AS source_name, ${named('country', NONE)} AS country_name
    FROM visits FINAL
    WHERE site_id = ${bind(site.id, 'String')}
      AND (visit_started_at, visit_id) IN (SELECT visit_started_at, visit_id FROM (${recent}))`;
  const people = `
    SELECT max(at) AS last_at, argMaxIf(path, at, path != '') AS page, argMax(visit_id, at) AS visit
    FROM (${recent}) GROUP BY visitor_id`;
  const sql = `
    SELECT of.1 AS kind, of.2 AS value,
      toString(countIf(last_at > ${near})) AS last_5, toString(count()) AS last_30
    FROM (
      SELECT last_at, arrayJoin([('all', ''), ('page', if(page = '', '${NONE}', page)),
        ('source', if(source_name = '', '${NONE}', source_name)),
        ('country', if(country_name = '', '${NONE}', country_name))]) AS of
      FROM (${people}) AS people LEFT JOIN (${visits}) AS visits ON visit = own_visit
    )
    GROUP BY of
    ORDER BY countIf(last_at > ${near}) DESC, count() DESC, value
    LIMIT ${bind(limit, 'UInt64')} BY kind`;
  return { sql, params };
}

/** The statement that counts visitors and pageviews by the minute. */
export function toMinutesStatement(site: ReportSite, now: number): ReportStatement {
  const { bind, params } = createBindings();
  const from = bind(now - MINUTES * MINUTE_MS, 'Int64');
  const sql = `
    SELECT least(intDiv(at - ${from}, ${MINUTE_MS}), ${MINUTES - 1}) AS minute,
      uniqExact(visitor_id) AS visitors, countIf(type = 'pageview') AS pageviews
    FROM (${recentSql(site, now, bind)})
    GROUP BY minute`;
  return { sql, params };
}

/** What people did on the site lately; what a server reports of them does not show that they are there. */
function recentSql(
  site: ReportSite,
  now: number,
  bind: ReturnType<typeof createBindings>['bind'],
): string {
  const from = instant(now - MINUTES * MINUTE_MS, bind);
  return `
    SELECT visitor_id, visit_id, visit_started_at, type, path, ${AT} AS at
    FROM events
    WHERE site_id = ${bind(site.id, 'String')} AND occurred_at > ${from} AND accepted_at > ${from}
      AND at <= ${bind(now, 'Int64')} AND extends_visit = 1 AND bot_class = '' AND visitor_id != ''`;
}

import type { Warehouse } from '#warehouse/client.ts';
import { type Count, toCount } from './count.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/**
 * What the views `visits` and `visitors` hold, against a recount of the events they are made of.
 *
 * Why sums without `FINAL`: they are the same however far the parts are merged.
 */
export async function countViews(warehouse: Warehouse): Promise<Count[]> {
  const [row] = await warehouse.select<Record<Name, string>>({ sql: QUESTION }, RECOUNT_LIMITS);
  if (row === undefined) return [];
  return PAIRS.map(([what, recounted, found]) => toCount(what, row[recounted], row[found]));
}

const PAIRS = [
  ['visits', 'event_visits', 'visits'],
  ['events of visits', 'event_visit_events', 'visit_events'],
  ['pageviews of visits', 'event_visit_pageviews', 'visit_pageviews'],
  ['goals of visits', 'event_visit_goals', 'visit_goals'],
  ['engagement of visits in milliseconds', 'event_visit_engagement', 'visit_engagement'],
  ['visitors', 'event_visitors', 'visitors'],
  ['pageviews of visitors', 'event_pageviews', 'visitor_pageviews'],
] as const;

type Name = (typeof PAIRS)[number][1 | 2];

const IN_VISIT = "visit_id != toUUID('00000000-0000-0000-0000-000000000000')";

/** Hashes, as a hundred million ids would need more memory than one question may take. */
const QUESTION = `
SELECT * FROM (
  SELECT
    uniqExactIf(sipHash64(site_id, visit_started_at, visit_id), ${IN_VISIT}) AS event_visits,
    countIf(${IN_VISIT}) AS event_visit_events,
    countIf(${IN_VISIT} AND type = 'pageview') AS event_visit_pageviews,
    countIf(${IN_VISIT} AND type = 'goal') AS event_visit_goals,
    sumIf(toUInt64(engagement_ms), ${IN_VISIT}) AS event_visit_engagement,
    uniqExact(sipHash64(site_id, visitor_id)) AS event_visitors,
    countIf(type = 'pageview') AS event_pageviews
  FROM events
) AS recount, (
  SELECT uniqExact(sipHash64(site_id, visit_started_at, visit_id)) AS visits,
    sum(events) AS visit_events, sum(pageviews) AS visit_pageviews, sum(goals) AS visit_goals,
    sum(engagement_ms) AS visit_engagement
  FROM visits
) AS of_visits, (
  SELECT uniqExact(sipHash64(site_id, visitor_id)) AS visitors,
    sum(pageviews) AS visitor_pageviews
  FROM visitors
) AS of_visitors`;

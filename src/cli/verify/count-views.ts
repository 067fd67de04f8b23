import type { Warehouse } from '#warehouse/client.ts';
import type { QuestionLimits } from '#warehouse/question-limits.ts';
import { RefusedQuestionError } from '#warehouse/refused-question.ts';
import { type Count, toCount } from './count.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/** So many visits or visitors at a time: a third of what the memory of one question holds. */
const SLICE_ROWS = 5_000_000;
const SLICES_MAX = 1_024;

/**
 * What the views `visits` and `visitors` hold, against a recount of the events they are made of.
 *
 * - Why in slices: different visits are counted in memory, and one question may not have enough for all of
 *   a large site's. Where a slice has too many all the same, as visits lack that events have, there are twice as many.
 * - Why sums without `FINAL`: they are the same however far the parts are merged.
 */
export async function countViews(
  warehouse: Warehouse,
  limits: QuestionLimits = RECOUNT_LIMITS,
): Promise<Count[]> {
  for (let slices = await chooseSlices(warehouse, limits); ; slices *= 2) {
    try {
      const sums = await addSlices(warehouse, slices, limits);
      return PAIRS.map(([what, recounted, found]) => toCount(what, sums[recounted], sums[found]));
    } catch (error) {
      const isTooMuch = error instanceof RefusedQuestionError && error.reason === 'memory';
      if (!isTooMuch || slices >= SLICES_MAX) throw error;
    }
  }
}

async function chooseSlices(warehouse: Warehouse, limits: QuestionLimits): Promise<number> {
  const sql =
    'SELECT greatest((SELECT count() FROM visits), (SELECT count() FROM visitors)) AS most';
  const [row] = await warehouse.select<{ most: string }>({ sql }, limits);
  return Math.max(Math.ceil(Number(row?.most) / SLICE_ROWS), 1);
}

async function addSlices(
  warehouse: Warehouse,
  slices: number,
  limits: QuestionLimits,
): Promise<Record<Name, bigint>> {
  const sums = Object.fromEntries(NAMES.map((name) => [name, 0n])) as Record<Name, bigint>;
  for (let slice = 0; slice < slices; slice++) {
    const params = { slices, slice };
    const [row] = await warehouse.select<Record<Name, string>>({ sql: QUESTION, params }, limits);
    for (const name of NAMES) sums[name] += BigInt(row?.[name] ?? 0);
  }
  return sums;
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
const NAMES: readonly Name[] = PAIRS.flatMap(([, recounted, found]) => [recounted, found]);

const IN_VISIT = "visit_id != toUUID('00000000-0000-0000-0000-000000000000')";
/** Hashes, as a hundred million ids would need more memory than one question may take. */
const VISIT = 'sipHash64(site_id, visit_started_at, visit_id)';
const VISITOR = 'sipHash64(site_id, visitor_id)';
const inSlice = (hash: string) => `${hash} % {slices:UInt64} = {slice:UInt64}`;

/** Of a slice: sums of events are those of its visitors. */
const QUESTION = `
SELECT * FROM (
  SELECT
    uniqExactIf(${VISIT}, ${IN_VISIT} AND ${inSlice(VISIT)}) AS event_visits,
    uniqExactIf(${VISITOR}, is_here) AS event_visitors,
    countIf(${IN_VISIT} AND is_here) AS event_visit_events,
    countIf(${IN_VISIT} AND type = 'pageview' AND is_here) AS event_visit_pageviews,
    countIf(${IN_VISIT} AND type = 'goal' AND is_here) AS event_visit_goals,
    sumIf(toUInt64(engagement_ms), ${IN_VISIT} AND is_here) AS event_visit_engagement,
    countIf(type = 'pageview' AND is_here) AS event_pageviews
  FROM (SELECT *, ${inSlice(VISITOR)} AS is_here FROM events)
) AS recount, (
  SELECT uniqExact(${VISIT}) AS visits,
    sum(events) AS visit_events, sum(pageviews) AS visit_pageviews, sum(goals) AS visit_goals,
    sum(engagement_ms) AS visit_engagement
  FROM visits WHERE ${inSlice(VISIT)}
) AS of_visits, (
  SELECT uniqExact(${VISITOR}) AS visitors,
    sum(pageviews) AS visitor_pageviews
  FROM visitors WHERE ${inSlice(VISITOR)}
) AS of_visitors`;

import type { Warehouse } from '#warehouse/client.ts';
import type { QuestionLimits } from '#warehouse/question-limits.ts';
import { RefusedQuestionError } from '#warehouse/refused-question.ts';
import { MAKES_VISITOR } from '#warehouse/schema.ts';
import { MAKES_VISIT } from '#warehouse/visits-table.ts';
import { type Count, toCount } from './count.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/** So many visits or visitors at a time: a third of what the memory of one question holds. */
const SLICE_ROWS = 8_000_000;
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
  const counts: Count[] = [];
  for (const view of [VISITS, VISITORS]) counts.push(...(await countView(warehouse, view, limits)));
  return counts;
}

type View = {
  readonly table: string;
  /** What is counted, and SQL of it over events and over rows of the view. */
  readonly counted: readonly (readonly [what: string, ofEvents: string, ofView: string])[];
  /** SQL of which events make it, the same as where it is made; `e` is the event. */
  readonly events: string;
  /** SQL of a number by which both are cut; cheap, as every slice works it out of all rows. */
  readonly cut: string;
};

/** A hash, as a hundred million ids would need more memory than one question may take. */
const different = (...key: string[]) => `uniqExact(sipHash64(${key.join(', ')}))`;
const VISIT_COUNT = different('site_id', 'visit_started_at', 'visit_id');
const VISITOR_COUNT = different('site_id', 'visitor_id');

const VISITS: View = {
  table: 'visits',
  counted: [
    ['visits', VISIT_COUNT, VISIT_COUNT],
    ['events of visits', 'count()', 'sum(events)'],
    ['pageviews of visits', "countIf(type = 'pageview')", 'sum(pageviews)'],
    ['goals of visits', "countIf(type = 'goal')", 'sum(goals)'],
    ['engagement of visits in milliseconds', 'sum(toUInt64(engagement_ms))', 'sum(engagement_ms)'],
  ],
  events: MAKES_VISIT,
  cut: 'intHash64(toUnixTimestamp64Milli(visit_started_at))',
};

const VISITORS: View = {
  table: 'visitors',
  counted: [
    ['visitors', VISITOR_COUNT, VISITOR_COUNT],
    ['pageviews of visitors', "countIf(type = 'pageview')", 'sum(pageviews)'],
  ],
  events: MAKES_VISITOR,
  cut: 'cityHash64(visitor_id)',
};

async function countView(
  warehouse: Warehouse,
  view: View,
  limits: QuestionLimits,
): Promise<Count[]> {
  for (let slices = await chooseSlices(warehouse, view, limits); ; slices *= 2) {
    try {
      return await addSlices(warehouse, view, slices, limits);
    } catch (error) {
      const isTooMuch = error instanceof RefusedQuestionError && error.reason === 'memory';
      if (!isTooMuch || slices >= SLICES_MAX) throw error;
    }
  }
}

async function chooseSlices(warehouse: Warehouse, { table }: View, limits: QuestionLimits) {
  const sql = `SELECT count() AS rows FROM ${table}`;
  const [row] = await warehouse.select<{ rows: string }>({ sql }, limits);
  return Math.max(Math.ceil(Number(row?.rows) / SLICE_ROWS), 1);
}

async function addSlices(
  warehouse: Warehouse,
  { table, counted, events, cut }: View,
  slices: number,
  limits: QuestionLimits,
): Promise<Count[]> {
  const inSlice = `${cut} % {slices:UInt64} = {slice:UInt64}`;
  const sql = `SELECT * FROM
    (SELECT [${counted.map(([, ofEvents]) => ofEvents).join(', ')}] AS expected
      FROM events AS e WHERE ${events} AND ${inSlice}) AS of_events,
    (SELECT [${counted.map(([, , ofView]) => ofView).join(', ')}] AS found
      FROM ${table} WHERE ${inSlice}) AS of_view`;
  const sums = counted.map(([what]) => ({ what, expected: 0n, found: 0n }));
  for (let slice = 0; slice < slices; slice++) {
    const params = { slices, slice };
    const [row] = await warehouse.select<Answer>({ sql, params }, limits);
    for (const [index, sum] of sums.entries()) {
      sum.expected += BigInt(row?.expected[index] ?? 0);
      sum.found += BigInt(row?.found[index] ?? 0);
    }
  }
  return sums.map(({ what, expected, found }) => toCount(what, expected, found));
}

type Answer = { readonly expected: readonly string[]; readonly found: readonly string[] };

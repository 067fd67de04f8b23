import { randomInt } from 'node:crypto';
import type { Warehouse } from './client.ts';
import { DEEDS } from './events-table.ts';
import {
  COUNTED_SUMS,
  COUNTED_VALUES,
  type CountedSum,
  type CountedValue,
  DAY_OF_RUN,
  QUARTERS_A_DAY,
} from './settled-counts-table.ts';
import { ANY_MONTHS, NO_VISIT } from './table-settings.ts';

/** Of so many events, or the visits with so many, visitors are counted at once: whoever ships waits for about a second. */
const CHUNK_EVENTS = { events: 1_000_000, visits: 3_000_000 } as const;
/** Who asked gives up after a minute, and another would come on top. */
const LIMITS = `max_threads = 1, max_execution_time = 25, ${ANY_MONTHS}`;
/** Of sites with so few, everything is counted at once. */
const FEW_EVENTS = 100_000;

/** A day that is to be counted, and what it is counted from (visit-days.ts). */
export type CountableDay = {
  readonly day: number;
  readonly basis: bigint;
  readonly events: number;
};

/**
 * Counts what is counted ahead of settled days, and says so when all of it is written: whether it did.
 *
 * - It does not when somebody took rows out meanwhile, for an erasure: then the marks of the runs are gone, which
 *   were written with the first rows.
 * - `isAll`: there is no day before them, so that nobody's earlier visits need be looked for. `events` are all of
 *   the site's.
 * - Throws when the warehouse does not answer; what it wrote until then counts for nothing.
 */
export async function countDays(
  warehouse: Pick<Warehouse, 'select' | 'command'>,
  siteId: string,
  days: readonly CountableDay[],
  site: { readonly isAll: boolean; readonly events: number },
): Promise<boolean> {
  const firstRun = randomInt(2 ** 37) * DAY_OF_RUN;
  const numbers = days.map(({ day }) => day);
  const runs = numbers.map((day) => firstRun + day);
  const params = {
    ...{ site: siteId, days: numbers, firstRun, runs },
    from: Math.min(...numbers) * QUARTERS_A_DAY,
    to: (Math.max(...numbers) + 1) * QUARTERS_A_DAY,
  };
  for (const { into, rows } of inParcels(days, site)) {
    await warehouse.command({
      sql: `INSERT INTO ${into} SETTINGS async_insert = 0
        ${rows.join('\nUNION ALL')} SETTINGS ${LIMITS}`,
      params,
    });
  }
  await warehouse.command({
    sql: `INSERT INTO settled_days (site_id, day, run, basis) SETTINGS async_insert = 0
      SELECT {site:String}, entry.1, entry.2, entry.3 FROM (
        SELECT arrayJoin(arrayZip({days:Array(UInt16)}, {runs:Array(UInt64)}, {bases:Array(UInt64)})) AS entry)
      WHERE entry.2 IN (
        SELECT run FROM settled_counts
        WHERE site_id = {site:String} AND counted = '${BEGUN}' AND run IN {runs:Array(UInt64)})`,
    params: { site: siteId, days: numbers, runs, bases: days.map(({ basis }) => basis) },
  });
  const [named] = await warehouse.select<{ days: string }>({
    sql: 'SELECT count() AS days FROM settled_days WHERE site_id = {site:String} AND run IN {runs:Array(UInt64)}',
    params,
  });
  return Number(named?.days) === days.length;
}

/** Marks runs that have begun, in the first quarter of all: whatever takes counts out takes that, too. */
const BEGUN = 'run';
const MARKS = `
    SELECT {site:String}, '${BEGUN}', toUInt32(0) AS quarter, '', 0, toUInt64(1) AS amount, arrayJoin({runs:Array(UInt64)}) AS run`;

const SOURCES: Readonly<
  Record<
    CountedValue['of'],
    { readonly table: string; readonly at: string; readonly where: string }
  >
> = {
  visits: { table: 'settled_visits', at: 'visit_started_at', where: "bot_class = ''" },
  events: {
    table: 'events',
    at: 'occurred_at',
    where: `bot_class = '' AND ${DEEDS} AND visit_id != ${NO_VISIT}`,
  },
};

const INTO_COUNTS = 'settled_counts (site_id, counted, quarter, value, back, amount, run)';
const INTO_SEEN = 'settled_seen (site_id, counted, run, visitor, seen)';
const RUN = `{firstRun:UInt64} + intDiv(quarter, ${QUARTERS_A_DAY}) AS run`;
const IS_OF_DAYS = `intDiv(quarter, ${QUARTERS_A_DAY}) IN {days:Array(UInt16)}`;

function quarterOf(at: string): string {
  return `toUInt32(intDiv(toUnixTimestamp(${at}), 900))`;
}

/** Rows of the site up to the last of these days, and whether one is not before the first. */
function rowsOf({ of, only = '1' }: CountedValue | CountedSum) {
  const { table, at, where } = SOURCES[of];
  const instant = (quarter: string) => `toDateTime64(${quarter} * 900, 3, 'UTC')`;
  return {
    ...{ table, at },
    isBeforeEnd: `site_id = {site:String} AND ${at} < ${instant('{to:UInt32}')} AND ${where} AND ${only}`,
    isFromStartOn: `${at} >= ${instant('{from:UInt32}')}`,
  };
}

/** SQL of rows, and the table with its columns that they are for. */
type RowsInto = { readonly into: string; readonly rows: readonly string[] };

/** All rows that are to be written, by insert: one alone for each table where there are few. */
function inParcels(
  days: readonly CountableDay[],
  { isAll, events: siteEvents }: { readonly isAll: boolean; readonly events: number },
): RowsInto[] {
  const events = days.reduce((sum, day) => sum + day.events, 0);
  const sums = COUNTED_SUMS.map(addUpSql);
  const inChunks = (value: CountedValue, toSql: (chunk: Chunk) => string) => {
    const chunks = Math.max(1, Math.ceil(events / CHUNK_EVENTS[value.of]));
    return Array.from({ length: chunks }, (_, chunk) => toSql({ chunk, chunks, isAll }));
  };
  const counts = COUNTED_VALUES.flatMap((value) =>
    inChunks(value, (chunk) => countSql(value, chunk)),
  );
  const seen = COUNTED_VALUES.filter(({ of }) => of === 'events').flatMap((value) =>
    inChunks(value, (chunk) => seenSql(value, chunk)),
  );
  const [first = '', ...others] = [...sums, ...counts];
  const alone = (into: string) => (row: string) => ({ into, rows: [row] });
  return siteEvents < FEW_EVENTS
    ? [
        { into: INTO_COUNTS, rows: [MARKS, first, ...others] },
        { into: INTO_SEEN, rows: seen },
      ]
    : [
        { into: INTO_COUNTS, rows: [MARKS, first] },
        ...others.map(alone(INTO_COUNTS)),
        ...seen.map(alone(INTO_SEEN)),
      ];
}

/** Visitors whose number leaves this remainder, and whether they may have been there before these days. */
type Chunk = { readonly chunk: number; readonly chunks: number; readonly isAll: boolean };

/**
 * Each quarter of these days in which a visitor was there with a value, with the one before it; counted by
 * both. What was before these days is looked up for their visitors alone.
 */
function countSql(value: CountedValue, { chunk, chunks, isAll }: Chunk): string {
  const { table, at, isBeforeEnd, isFromStartOn } = rowsOf(value);
  const isTheirs = chunks === 1 ? '1' : `visitor % ${chunks} = ${chunk}`;
  const own = `${isBeforeEnd} AND ${isTheirs}`;
  const wanted = isAll
    ? isFromStartOn
    : `(${isFromStartOn} OR visitor IN (SELECT visitor FROM ${table} WHERE ${own} AND ${isFromStartOn}))`;
  return `
    SELECT {site:String}, '${value.name}', quarter, value, back, count() AS amount, ${RUN}
    FROM (
      SELECT value, quarter, lagInFrame(quarter) OVER (
          PARTITION BY visitor, value ORDER BY quarter ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
        ) AS back
      FROM (
        SELECT visitor, ${value.sql} AS value, ${quarterOf(at)} AS quarter
        FROM ${table} WHERE ${own} AND ${wanted}
      )
    )
    WHERE ${IS_OF_DAYS} AND back != quarter
    GROUP BY quarter, value, back`;
}

/** Who was there on each of these days, and with which values. */
function seenSql(value: CountedValue, { chunk, chunks }: Chunk): string {
  const { table, at, isBeforeEnd, isFromStartOn } = rowsOf(value);
  return `
    SELECT {site:String}, '${value.name}', ${RUN}, visitor, groupUniqArray(value)
    FROM (
      SELECT visitor, ${value.sql} AS value, ${quarterOf(at)} AS quarter
      FROM ${table} WHERE ${isBeforeEnd} AND ${isFromStartOn} AND visitor % ${chunks} = ${chunk}
    )
    WHERE ${IS_OF_DAYS}
    GROUP BY run, visitor`;
}

function addUpSql(sum: CountedSum): string {
  const { table, at, isBeforeEnd, isFromStartOn } = rowsOf(sum);
  return `
    SELECT {site:String}, '${sum.name}', ${quarterOf(at)} AS quarter, '', 0, toUInt64(${sum.sql}) AS amount, ${RUN}
    FROM ${table} WHERE ${isBeforeEnd} AND ${isFromStartOn} AND ${IS_OF_DAYS}
    GROUP BY quarter`;
}

import type { Fault } from '#contract/fault.ts';
import { COHORTS_MAX, type Retention, type RetentionAnswer } from '#contract/reports/retention.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import type { Bind } from '../dimension.ts';
import type { Planned, Report } from '../query/answer/report-kind.ts';
import type { BaseQuery } from '../query/query.ts';
import { percentOf, toMoney } from '../query/shape/to-answer-row.ts';
import { membersSql, withOutlaysSql } from './cohorts/members.ts';
import { findPeriods } from './cohorts/periods.ts';
import { splitFilter } from './cohorts/split-filter.ts';

const DEFAULTS = {
  unit: 'week',
  cohort: 'first_visit',
  measure: 'activity',
  by: 'person',
  periods: 13,
} as const;

/**
 * A cell of the table. Cohorts and periods are numbered from 0; period -1 has the cohort's size. In queries about
 * activity, `minor` is 0.
 */
type Row = Readonly<Record<'cohort' | 'period' | 'active' | 'minor', string>>;

/** The retention report: how many members of a weekly or monthly cohort return or pay again. */
export const retention: Report<Retention, Query, Row, RetentionAnswer> = {
  parse,
  toSql,
  paymentsOf: ({ asked, filter }) => (asked.measure === 'revenue' ? filter.payments : undefined),
  toAnswer(rows, report, common) {
    const cohorts = toCohorts(rows, report);
    return {
      results: cohorts.map((cohort) => toResult(cohort, report)),
      overall: toOverall(cohorts, report),
      ...common,
    };
  },
};

function parse(sent: Retention, base: BaseQuery, faults: Fault[], now: number) {
  const asked = { ...DEFAULTS, ...sent };
  const { unit, cohort, measure, by, periods } = asked;
  const takesPayments = cohort === 'first_payment' || measure === 'revenue';
  const filter = splitFilter(base.filter, { takesPayments }, faults);
  if (by === 'visitor' && takesPayments) {
    const message =
      'Payments belong to persons: leave "by" out, or ask for cohorts by first_visit and activity.';
    faults.push({ path: '/by', message });
  }
  const rows = { what: 'cohorts', max: COHORTS_MAX, more: periods, now };
  const { begun: cohorts, startsAt } = findPeriods(base.period, unit, rows, faults);
  // Up to the end of the last period that any cohort shows.
  const period = { ...base.period, startsAt: 0, endsAt: startsAt.at(-1) ?? base.period.endsAt };
  const range = { startsAt: startsAt[0] ?? now, endsAt: startsAt[cohorts] ?? now };
  return { asked, query: { ...base, period }, range, filter, cohorts, startsAt };
}

type Query = ReturnType<typeof parse>;

/** Counts the members of each cohort, and those active in each period since. */
function toSql(report: Planned<Query>, bind: Bind): string | undefined {
  const { asked, plan, filter, cohorts, now } = report;
  if (cohorts === 0) return undefined;
  const { cohort, measure } = asked;
  const period = periodOf('joined_on', report, bind);
  // A payment may precede the first visit, which may be after the last period.
  const { endsAt } = plan.period;
  const until = cohort === 'first_visit' ? endsAt : Math.max(endsAt, now + 1);
  const joined = `${period} >= 0 AND ${period} < ${bind(cohorts, 'Int64')}`;
  const visited = measure === 'activity' ? visitedPeriods(report, bind) : undefined;
  const found = membersSql({ cohort, ...filter, visited, joined, until }, plan, bind);
  const members = `SELECT *, ${period} AS cohort FROM (${found})`;
  return measure === 'activity'
    ? byActivity(members, report, bind)
    : byMoney(members, report, bind);
}

/** SQL for the number of the period that contains a day. */
function periodOf(day: string, { asked, range, plan }: Planned<Query>, bind: Bind): string {
  const label = toBucketLabel(range.startsAt, asked.unit, plan.period.timeZone);
  return `dateDiff('${asked.unit}', toDate(${bind(label, 'String')}), ${day})`;
}

/** The last of a bit for each period: more than cohorts and periods add up to. */
const LAST_BIT = 127;

/** A bit per period with a visit, starting with the first cohort's. */
function visitedPeriods(report: Planned<Query>, bind: Bind): string {
  const period = periodOf('came_on', report, bind);
  const bit = `bitShiftLeft(toUInt128(1), toUInt8(greatest(0, least(${period}, ${LAST_BIT}))))`;
  return `groupBitOr(if(${period} BETWEEN 0 AND ${LAST_BIT}, ${bit}, toUInt128(0)))`;
}

function byActivity(members: string, { asked }: Planned<Query>, bind: Bind): string {
  const isVisited = `bitAnd(visited, bitShiftLeft(toUInt128(1), toUInt8(least(cohort + n, ${LAST_BIT})))) != 0`;
  return `
    SELECT cohort, period, toString(sum(people)) AS active, '0' AS minor
    FROM (
      SELECT cohort, people, arrayJoin(arrayConcat([toInt64(-1)],
        arrayFilter(n -> ${isVisited}, range(0, ${bind(asked.periods, 'Int64')})))) AS period
      FROM (SELECT cohort, visited, count() AS people FROM (${members}) GROUP BY cohort, visited)
    )
    GROUP BY cohort, period`;
}

/** Payments before the cohort's own period (before the first visit) count in it. */
function byMoney(members: string, report: Planned<Query>, bind: Bind): string {
  const { plan, filter, asked, range } = report;
  const startsAt = asked.cohort === 'first_payment' ? range.startsAt : 0;
  const since = { ...plan, period: { ...plan.period, startsAt } };
  const madeIn = `greatest(${periodOf('tupleElement(outlay, 1)', report, bind)} - cohort, 0)`;
  return `
    SELECT cohort, cell.1 AS period, toString(sum(cell.2)) AS active, toString(sum(cell.3)) AS minor
    FROM (
      SELECT cohort, arrayJoin(arrayConcat([(toInt64(-1), 1, toInt128(0))],
        arrayMap(period -> (period, 1, toInt128(0)),
          arrayDistinct(arrayMap(outlay -> ${madeIn}, arrayFilter(outlay -> tupleElement(outlay, 3), outlays)))),
        arrayMap(outlay -> (${madeIn}, 0, tupleElement(outlay, 2)), outlays))) AS cell
      FROM ${withOutlaysSql(members, filter.payments, since, bind)}
    )
    WHERE cell.1 < ${bind(asked.periods, 'Int64')}
    GROUP BY cohort, period`;
}

type Cell = { readonly active: bigint; readonly minor: bigint };
type Cohort = {
  readonly startsAt: number;
  readonly size: bigint;
  /** How many of its periods have begun, and how many are over. */
  readonly begun: number;
  readonly over: number;
  readonly cellOf: (period: number) => Cell;
};

function toCohorts(
  rows: readonly Row[],
  { asked: { periods }, cohorts, startsAt, now }: Planned<Query>,
): Cohort[] {
  const rowsByPlace = new Map(rows.map((row) => [`${row.cohort} ${row.period}`, row]));
  return startsAt.slice(0, cohorts).map((at, cohort) => {
    const cellOf = (period: number): Cell => {
      const { active = 0, minor = 0 } = rowsByPlace.get(`${cohort} ${period}`) ?? {};
      return { active: BigInt(active), minor: BigInt(minor) };
    };
    const starts = startsAt.slice(cohort, cohort + periods + 1);
    const begun = starts.filter((start) => start <= now).length;
    const size = cellOf(-1).active;
    return { startsAt: at, size, begun: Math.min(begun, periods), over: begun - 1, cellOf };
  });
}

function toResult(cohort: Cohort, report: Planned<Query>): RetentionAnswer['results'][number] {
  const { startsAt, size, begun, over } = cohort;
  return {
    cohort: toBucketLabel(startsAt, report.asked.unit, report.query.period.timeZone),
    size: Number(size),
    periods: Array.from({ length: begun }, (_, period) => ({
      ...toFigures([cohort], period, report),
      is_complete: period < over,
    })),
  };
}

/** Each period, across the cohorts that have completed it: the earliest ones. */
function toOverall(cohorts: readonly Cohort[], report: Planned<Query>): RetentionAnswer['overall'] {
  const sizeOf = (own: readonly Cohort[]) => Number(sum(own, ({ size }) => size));
  const periods = Array.from({ length: cohorts[0]?.over ?? 0 }, (_, period) => {
    const own = cohorts.filter(({ over }) => period < over);
    return { members: sizeOf(own), ...toFigures(own, period, report) };
  });
  return { size: sizeOf(cohorts), periods };
}

/** The figures of cohorts in a period; no rates until all have completed it. */
function toFigures(
  cohorts: readonly Cohort[],
  period: number,
  { asked: { measure }, query }: Planned<Query>,
) {
  const active = sum(cohorts, ({ cellOf }) => cellOf(period).active);
  const minor = sum(cohorts, ({ cellOf }) => cellOf(period).minor);
  const isOver = cohorts.every(({ over }) => period < over);
  const rate = (part: bigint, whole: (cohort: Cohort) => bigint) =>
    isOver ? percentOf(part, sum(cohorts, whole)) : null;
  return {
    active: Number(active),
    rate: rate(active, ({ size }) => size),
    ...(measure === 'revenue' && {
      revenue: toMoney(minor, query.site.currency),
      revenue_rate: rate(minor, ({ cellOf }) => cellOf(0).minor),
    }),
  };
}

function sum(cohorts: readonly Cohort[], read: (cohort: Cohort) => bigint): bigint {
  return cohorts.reduce((total, cohort) => total + read(cohort), 0n);
}

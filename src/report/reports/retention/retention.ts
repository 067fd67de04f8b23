import { COHORTS_MAX, type Retention, type RetentionAnswer } from '#contract/reports/retention.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import { findBegun, findPeriods } from '../cohorts/periods.ts';
import { splitFilter } from '../cohorts/split-filter.ts';
import type { Planned, Report } from '../report-kind.ts';
import { type RetentionQuery, type RetentionRow, toRetentionStatement } from './retention-sql.ts';

const DEFAULTS = {
  unit: 'week',
  cohort: 'first_visit',
  measure: 'activity',
  by: 'person',
  periods: 13,
} as const;

/** How many of those who came, or paid, in a week or month do so again later. */
export const retention: Report<Retention, RetentionQuery, RetentionRow, RetentionAnswer> = {
  parse(sent, base, faults, now) {
    const asked = { ...DEFAULTS, ...sent };
    const { unit, cohort, measure, by, periods } = asked;
    const takesPayments = cohort === 'first_payment' || measure === 'revenue';
    const filter = splitFilter(base.filter, { takesPayments }, faults);
    if (by === 'visitor' && takesPayments) {
      const message =
        'Payments belong to persons: leave "by" out, or ask for cohorts by first_visit and activity.';
      faults.push({ path: '/by', message });
    }
    const begun = findBegun(base.period, unit, { now, max: COHORTS_MAX });
    if (begun === undefined) {
      const message = `There are at most ${COHORTS_MAX} cohorts: take a shorter date_range${unit === 'week' ? ', or months' : ''}.`;
      faults.push({ path: '/date_range', message });
    }
    if (!filter || !begun) return undefined;
    const cohorts = begun.length;
    const startsAt = findPeriods(begun, unit, cohorts + periods, base.period);
    const period = { ...base.period, startsAt: 0, endsAt: startsAt.at(-1) ?? base.period.endsAt };
    const range = { startsAt: startsAt[0] ?? now, endsAt: startsAt[cohorts] ?? now };
    return { asked, query: { ...base, period }, range, filter, cohorts, startsAt };
  },
  toStatement: (report) => (report.cohorts === 0 ? undefined : toRetentionStatement(report)),
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

type Cell = { readonly active: bigint; readonly minor: bigint; readonly isComplete: boolean };
type Cohort = { readonly startsAt: number; readonly size: bigint; readonly cells: readonly Cell[] };

/** Every cohort with the cells of all periods that have begun. */
function toCohorts(
  rows: readonly RetentionRow[],
  { asked: { periods }, cohorts, startsAt, now }: Planned<RetentionQuery>,
): Cohort[] {
  const rowsByPlace = new Map(rows.map((row) => [`${row.cohort} ${row.period}`, row]));
  const find = (cohort: number, period: number) => rowsByPlace.get(`${cohort} ${period}`);
  return startsAt.slice(0, cohorts).map((cohortStartsAt, cohort) => {
    const begun = startsAt.slice(cohort, cohort + periods).filter((at) => at <= now);
    return {
      startsAt: cohortStartsAt,
      size: BigInt(find(cohort, -1)?.active ?? 0),
      cells: begun.map((_, period) => ({
        active: BigInt(find(cohort, period)?.active ?? 0),
        minor: BigInt(find(cohort, period)?.minor ?? 0),
        isComplete: (startsAt[cohort + period + 1] ?? 0) <= now,
      })),
    };
  });
}

function toResult(
  { startsAt, size, cells }: Cohort,
  { asked: { unit, measure }, query }: Planned<RetentionQuery>,
): RetentionAnswer['results'][number] {
  const first = cells[0]?.minor ?? 0n;
  return {
    cohort: toBucketLabel(startsAt, unit, query.period.timeZone),
    size: Number(size),
    periods: cells.map(({ active, minor, isComplete }) => ({
      active: Number(active),
      rate: isComplete ? percentOf(active, size) : null,
      ...(measure === 'revenue' && {
        revenue: toMoney(minor, query.site.currency),
        revenue_rate: isComplete ? percentOf(minor, first) : null,
      }),
      is_complete: isComplete,
    })),
  };
}

/** Each period over the cohorts for which it is over: the first ones, as the later began later. */
function toOverall(
  cohorts: readonly Cohort[],
  { asked: { measure }, query }: Planned<RetentionQuery>,
): RetentionAnswer['overall'] {
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
  const periods = (cohorts[0]?.cells ?? []).flatMap((_, period) => {
    const over = cohorts.filter(({ cells }) => cells[period]?.isComplete);
    if (over.length === 0) return [];
    const members = sum(over.map(({ size }) => size));
    const active = sum(over.map(({ cells }) => cells[period]?.active ?? 0n));
    const minor = sum(over.map(({ cells }) => cells[period]?.minor ?? 0n));
    const first = sum(over.map(({ cells }) => cells[0]?.minor ?? 0n));
    const money = {
      revenue: toMoney(minor, query.site.currency),
      revenue_rate: percentOf(minor, first),
    };
    return {
      members: Number(members),
      active: Number(active),
      rate: percentOf(active, members),
      ...(measure === 'revenue' && money),
    };
  });
  return { size: Number(sum(cohorts.map(({ size }) => size))), periods };
}

import type { Fault } from '#contract/fault.ts';
import { COHORTS_MAX, type Retention } from '#contract/reports/retention.ts';
import type { BaseQuery } from '../../query/query.ts';
import { findBegun, findPeriods } from '../cohorts/periods.ts';
import { type SplitFilter, splitFilter } from '../cohorts/split-filter.ts';
import type { Planned } from '../report-kind.ts';

/** A query about who comes back, parsed. */
export type RetentionQuery = {
  /** Up to the end of the last period that any cohort shows. */
  readonly query: BaseQuery;
  readonly filter: SplitFilter;
  readonly unit: 'week' | 'month';
  readonly cohort: 'first_visit' | 'first_payment';
  readonly measure: 'activity' | 'revenue';
  readonly by: 'person' | 'visitor';
  readonly periods: number;
  readonly cohorts: number;
  /** Where each period begins, from the first cohort's on, and where the last one ends. */
  readonly startsAt: readonly number[];
};

/** The same, planned. */
export type RetentionPlan = Planned<RetentionQuery>;

const PERIODS = 13;

/** The query that was asked; faults are noted. */
export function parseRetention(
  asked: Retention,
  base: BaseQuery,
  faults: Fault[],
  now: number,
): RetentionQuery | undefined {
  const { unit = 'week', cohort = 'first_visit', measure = 'activity', by = 'person' } = asked;
  const periods = asked.periods ?? PERIODS;
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
  const startsAt = findPeriods(begun, unit, begun.length + periods, base.period);
  const period = { ...base.period, startsAt: 0, endsAt: startsAt.at(-1) ?? base.period.endsAt };
  const query = { ...base, period };
  const cohorts = begun.length;
  return { query, filter, unit, cohort, measure, by, periods, cohorts, startsAt };
}

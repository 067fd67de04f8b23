import type { Fault } from '#contract/fault.ts';
import { COHORTS_MAX, type Retention } from '#contract/reports/retention.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { countBucketsAtMost, toBuckets } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import type { ReportSite } from '../../ports.ts';
import { type Clock, parseAskedFilter, parseAskedPeriod } from '../../query/parse/parse-fields.ts';
import type { BaseQuery } from '../../query/query.ts';
import type { Refusal } from '../../refusal.ts';
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
  readonly now: number;
};

/** The same, planned. */
export type RetentionPlan = Planned<RetentionQuery>;

const PERIODS = 13;
/** The longest of each unit. */
const LONGEST_MS = { week: 7 * 86_400_000 + 3_600_000, month: 31 * 86_400_000 + 3_600_000 };

/** The query that was asked, or every fault found in it. */
export function parseRetention(
  asked: Retention,
  site: ReportSite,
  clock: Clock,
): Result<RetentionQuery, Refusal> {
  const faults: Fault[] = [];
  const { unit = 'week', cohort = 'first_visit', measure = 'activity', by = 'person' } = asked;
  const periods = asked.periods ?? PERIODS;
  const takesPayments = cohort === 'first_payment' || measure === 'revenue';
  const period = parseAskedPeriod(asked, site, clock, faults);
  const filter = parseAskedFilter(asked, faults);
  const split = filter && splitFilter(filter, { takesPayments }, faults);
  if (by === 'visitor' && takesPayments) {
    const message =
      'Payments belong to persons: leave "by" out, or ask for cohorts by first_visit and activity.';
    faults.push({ path: '/by', message });
  }
  const begun = period && findCohorts(period, unit, clock.now, faults);
  if (faults.length > 0 || !period || !filter || !split || !begun) {
    return refuse({ type: 'invalid_request', details: faults });
  }
  const startsAt = findPeriods(begun, unit, begun.length + periods, period);
  const endsAt = startsAt.at(-1) ?? period.endsAt;
  const whole = { startsAt: 0, endsAt, timeZone: period.timeZone };
  const query = { site, period: whole, filter, dimensions: [] };
  const cohorts = begun.length;
  const { now } = clock;
  return ok({
    query,
    filter: split,
    unit,
    cohort,
    measure,
    by,
    periods,
    cohorts,
    startsAt,
    now,
  });
}

/** Where the weeks or months begin that the period touches and that have begun. */
function findCohorts(
  period: Period,
  unit: 'week' | 'month',
  now: number,
  faults: Fault[],
): number[] | undefined {
  const endsAt = Math.min(period.endsAt, now + 1);
  if (endsAt <= period.startsAt) return [];
  const begun = { ...period, endsAt };
  const cohorts = countBucketsAtMost(begun, unit) > 4 * COHORTS_MAX ? [] : toBuckets(begun, unit);
  if (cohorts.length > 0 && cohorts.length <= COHORTS_MAX) return cohorts;
  const message = `There are at most ${COHORTS_MAX} cohorts: take a shorter date_range${unit === 'week' ? ', or months' : ''}.`;
  faults.push({ path: '/date_range', message });
  return undefined;
}

/** So many periods from the first cohort's on, and the end of the last. */
function findPeriods(
  [first]: readonly number[],
  unit: 'week' | 'month',
  count: number,
  { timeZone }: Period,
): number[] {
  if (first === undefined) return [];
  const endsAt = first + (count + 1) * LONGEST_MS[unit];
  return toBuckets({ startsAt: first, endsAt, timeZone }, unit).slice(0, count);
}

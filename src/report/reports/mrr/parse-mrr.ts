import type { Fault } from '#contract/fault.ts';
import { MRR_MONTHS_MAX, type Mrr } from '#contract/reports/mrr.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { countBucketsAtMost, toBuckets } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import type { ReportSite } from '../../ports.ts';
import { filteredDimensions } from '../../query/filter.ts';
import { type Clock, parseAskedFilter, parseAskedPeriod } from '../../query/parse/parse-fields.ts';
import type { BaseQuery } from '../../query/query.ts';
import type { Refusal } from '../../refusal.ts';
import { type SplitFilter, splitFilter } from '../cohorts/split-filter.ts';
import type { Planned } from '../report-kind.ts';

/** A query about monthly recurring revenue, parsed. */
export type MrrQuery = {
  /** Of all that was paid up to now. */
  readonly query: BaseQuery;
  readonly filter: SplitFilter;
  /** Where each month begins that was asked for and has begun, and where the last one ends. */
  readonly startsAt: readonly number[];
  readonly now: number;
};

/** The same, planned. */
export type MrrPlan = Planned<MrrQuery>;

/** The query that was asked, or every fault found in it. */
export function parseMrr(asked: Mrr, site: ReportSite, clock: Clock): Result<MrrQuery, Refusal> {
  const faults: Fault[] = [];
  const period = parseAskedPeriod(asked, site, clock, faults);
  const filter = parseAskedFilter(asked, faults);
  const split = filter && splitFilter(filter, { takesPayments: true }, faults);
  if (split && [...filteredDimensions(split.payments)].some(isRenewal)) {
    const message =
      'payment:renewal is not supported here: recurring revenue follows from all payments.';
    faults.push({ path: '/filters', message });
  }
  const { now } = clock;
  const startsAt = period && findMonths(period, now, faults);
  if (faults.length > 0 || !period || !filter || !split || !startsAt) {
    return refuse({ type: 'invalid_request', details: faults });
  }
  const known = { startsAt: 0, endsAt: now + 1, timeZone: period.timeZone };
  const query = { site, period: known, filter, dimensions: [] };
  return ok({ query, filter: split, startsAt, now });
}

function isRenewal({ name }: { readonly name: string }): boolean {
  return name === 'payment:renewal';
}

function findMonths(period: Period, now: number, faults: Fault[]): number[] | undefined {
  const endsAt = Math.min(period.endsAt, now + 1);
  if (endsAt <= period.startsAt) return [];
  const begun = { ...period, endsAt };
  if (countBucketsAtMost(begun, 'month') <= MRR_MONTHS_MAX + MONTHS_SPARE) {
    const months = toBuckets(begun, 'month');
    const next = toBuckets(
      { ...period, startsAt: months.at(-1) ?? now, endsAt: endsAt + TWO_MONTHS_MS },
      'month',
    );
    if (months.length <= MRR_MONTHS_MAX) return [...months, ...next.slice(1, 2)];
  }
  faults.push({
    path: '/date_range',
    message: `There are at most ${MRR_MONTHS_MAX} months: take a shorter date_range.`,
  });
  return undefined;
}

/** By how many months the quick count may be too high. */
const MONTHS_SPARE = 16;
const TWO_MONTHS_MS = 62 * 86_400_000;

import type { Fault } from '#contract/fault.ts';
import { MRR_MONTHS_MAX, type Mrr } from '#contract/reports/mrr.ts';
import { filteredDimensions } from '../../query/filter.ts';
import type { BaseQuery } from '../../query/query.ts';
import { findBegun, findPeriods } from '../cohorts/periods.ts';
import { type SplitFilter, splitFilter } from '../cohorts/split-filter.ts';
import type { Planned } from '../report-kind.ts';

/** A query about monthly recurring revenue, parsed. */
export type MrrQuery = {
  /** Of all that was paid up to now. */
  readonly query: BaseQuery;
  readonly filter: SplitFilter;
  /** Where each month begins that was asked for and has begun, and where the last one ends. */
  readonly startsAt: readonly number[];
};

/** The same, planned. */
export type MrrPlan = Planned<MrrQuery>;

/** The query that was asked; faults are noted. */
export function parseMrr(
  _: Mrr,
  base: BaseQuery,
  faults: Fault[],
  now: number,
): MrrQuery | undefined {
  const filter = splitFilter(base.filter, { takesPayments: true }, faults);
  if (filter && [...filteredDimensions(filter.payments)].some(isRenewal)) {
    const message =
      'payment:renewal is not supported here: recurring revenue follows from all payments.';
    faults.push({ path: '/filters', message });
  }
  const begun = findBegun(base.period, 'month', { now, max: MRR_MONTHS_MAX });
  if (begun === undefined) {
    const message = `There are at most ${MRR_MONTHS_MAX} months: take a shorter date_range.`;
    faults.push({ path: '/date_range', message });
  }
  if (!filter || !begun) return undefined;
  const period = { startsAt: 0, endsAt: now + 1, timeZone: base.period.timeZone };
  const startsAt = findPeriods(begun, 'month', begun.length + 1, period);
  return { query: { ...base, period }, filter, startsAt };
}

function isRenewal({ name }: { readonly name: string }): boolean {
  return name === 'payment:renewal';
}

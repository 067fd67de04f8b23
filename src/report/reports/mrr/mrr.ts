import { MRR_MONTHS_MAX, type Mrr, type MrrAnswer } from '#contract/reports/mrr.ts';
import { assert } from '#domain/assert.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { filteredDimensions } from '../../query/filter.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import { findBegun, findPeriods } from '../cohorts/periods.ts';
import { splitFilter } from '../cohorts/split-filter.ts';
import type { Planned, Report } from '../report-kind.ts';
import { type MrrColumn, type MrrRow, toMrrStatement } from './mrr-sql.ts';
import type { MrrQuery } from './recurring-terms.ts';

/** What comes in each month from subscriptions, and by which movements that changed. */
export const mrr: Report<Mrr, MrrQuery, MrrRow, MrrAnswer> = {
  parse(asked, base, faults, now) {
    const filter = splitFilter(base.filter, { takesPayments: true }, faults);
    const named = filter ? [...filteredDimensions(filter.payments)] : [];
    if (named.some(({ name }) => name === 'payment:renewal')) {
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
    const range = { startsAt: startsAt[0] ?? now, endsAt: startsAt.at(-1) ?? now };
    return { asked, query: { ...base, period }, range, filter, startsAt };
  },
  toStatement: (report) => (report.startsAt.length < 2 ? undefined : toMrrStatement(report)),
  paymentsOf: ({ filter }) => filter.payments,
  toAnswer(rows, report, common) {
    const months = report.startsAt.slice(0, -1);
    const rowsByMonth = new Map(rows.map((row) => [Number(row.month), row]));
    const results = months.map((_, index) => toResult(index, rowsByMonth.get(index + 1), report));
    return { results, ...common };
  },
};

/** A month without a row has no subscriber, nor had one at its start. */
function toResult(
  index: number,
  row: MrrRow | undefined,
  { startsAt, now, query }: Planned<MrrQuery>,
): MrrAnswer['results'][number] {
  const read = (column: MrrColumn) => BigInt(row?.[column] ?? 0);
  const money = (column: MrrColumn) => toMoney(read(column), query.site.currency);
  const count = (column: MrrColumn) => Number(read(column));
  const isComplete = (startsAt[index + 1] ?? now) <= now;
  const rate = (part: bigint, whole: bigint) => (isComplete ? percentOf(part, whole) : null);
  const start = read('start_mrr');
  const kept = start + read('expansion') - read('contraction') - read('churned');
  assert(
    kept + read('fresh') + read('reactivated') === read('end_mrr'),
    'the movements of a month sum to what changed',
  );
  return {
    month: toBucketLabel(startsAt[index] ?? now, 'month', query.period.timeZone),
    start: money('start_mrr'),
    new: money('fresh'),
    expansion: money('expansion'),
    reactivated: money('reactivated'),
    contraction: money('contraction'),
    churned: money('churned'),
    end: money('end_mrr'),
    customers: {
      start: count('start_mrr_customers'),
      new: count('fresh_customers'),
      expanded: count('expansion_customers'),
      reactivated: count('reactivated_customers'),
      contracted: count('contraction_customers'),
      churned: count('churned_customers'),
      end: count('end_mrr_customers'),
    },
    customer_churn_rate: rate(read('churned_customers'), read('start_mrr_customers')),
    revenue_churn_rate: rate(read('churned') + read('contraction'), start),
    net_revenue_retention: rate(kept, start),
    is_complete: isComplete,
  };
}

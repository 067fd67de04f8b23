import type { Fault } from '#contract/fault.ts';
import type { Money } from '#contract/query-fields.ts';
import { MRR_MONTHS_MAX, type Mrr, type MrrAnswer } from '#contract/reports/mrr.ts';
import { assert } from '#domain/assert.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import type { Bind } from '../dimension.ts';
import type { Planned, Report } from '../query/answer/report-kind.ts';
import { filteredDimensions } from '../query/filter.ts';
import type { BaseQuery } from '../query/query.ts';
import { percentOf, toMoney } from '../query/shape/to-answer-row.ts';
import { findPeriods } from './cohorts/periods.ts';
import { splitFilter } from './cohorts/split-filter.ts';
import { recurringTermsSql } from './recurring-terms.ts';

/**
 * The amounts of a month: how much each customer adds, and when. Exactly one movement applies to a customer whose
 * recurring revenue changes.
 */
const AMOUNTS = {
  start: { of: 'before', when: 'before > 0' },
  new: { of: 'after', when: 'before = 0 AND after > 0 AND is_first' },
  expansion: { of: 'after - before', when: 'before > 0 AND after > before' },
  reactivated: { of: 'after', when: 'before = 0 AND after > 0 AND NOT is_first' },
  contraction: { of: 'before - after', when: 'after > 0 AND after < before' },
  churned: { of: 'before', when: 'before > 0 AND after = 0' },
  end: { of: 'after', when: 'after > 0' },
} as const;
type Amount = keyof typeof AMOUNTS;
const NAMES = Object.keys(AMOUNTS) as Amount[];

/** A month, numbered from 1: each of {@link AMOUNTS}, in minor units, and its number of customers. */
type Row = {
  readonly month: string;
  readonly amounts: readonly string[];
  readonly customers: readonly string[];
};

/** The MRR report: monthly recurring revenue, and its movements. */
export const mrr: Report<Mrr, Query, Row, MrrAnswer> = {
  parse,
  toSql,
  paymentsOf: ({ filter }) => filter.payments,
  toAnswer(rows, report, common) {
    const rowsByMonth = new Map(rows.map((row) => [Number(row.month), row]));
    const months = report.startsAt.slice(0, -1);
    const results = months.map((_, index) => toResult(index, rowsByMonth.get(index + 1), report));
    return { results, ...common };
  },
};

function parse(asked: Mrr, base: BaseQuery, faults: Fault[], now: number) {
  const filter = splitFilter(base.filter, { takesPayments: true }, faults);
  const named = [...filteredDimensions(filter.payments)];
  if (named.some(({ name }) => name === 'payment:renewal')) {
    const message =
      'payment:renewal is not supported here: recurring revenue follows from all payments.';
    faults.push({ path: '/filters', message });
  }
  const months = { what: 'months', max: MRR_MONTHS_MAX, more: 1, now };
  const { startsAt } = findPeriods(base.period, 'month', months, faults);
  // Everything paid up to now.
  const period = { startsAt: 0, endsAt: now + 1, timeZone: base.period.timeZone };
  const range = { startsAt: startsAt[0] ?? now, endsAt: startsAt.at(-1) ?? now };
  return { asked, query: { ...base, period }, range, filter, startsAt };
}

type Query = ReturnType<typeof parse>;

/**
 * Each month's amounts: every customer's recurring revenue at its end, compared with the end of the month before.
 *
 * - Shape: a customer is new once, in the month at whose end they first count.
 */
function toSql({ startsAt, now, plan, filter }: Planned<Query>, bind: Bind): string | undefined {
  if (startsAt.length < 2) return undefined;
  // The day before the first month, then the last of each; for this month, today.
  const lastDays = startsAt.map((at) =>
    toBucketLabel(Math.min(at - 1, now), 'day', plan.period.timeZone),
  );
  const days = bind(lastDays, 'Array(String)');
  const last = bind(startsAt.length - 1, 'Int64');
  const all = Object.values(AMOUNTS);
  return `
    WITH arrayMap(day -> toDate(day), ${days}) AS last_days
    SELECT month, [${all.map(({ of, when }) => `toString(sumIf(${of}, ${when}))`).join(', ')}] AS amounts,
      [${all.map(({ when }) => `toString(countIf(${when}))`).join(', ')}] AS customers
    FROM (
      SELECT customer, state.1 AS month, sum(state.2) AS before, sum(state.3) AS after,
        any(first_counted) > last_days[month] AS is_first
      FROM (
        SELECT customer, first_counted, arrayJoin([(place, toInt128(0), held), (place + 1, held, toInt128(0))]) AS state
        FROM (
          SELECT customer, place, sum(mrr) AS held, any(counted) AS first_counted
          FROM (${recurringTermsSql(filter, plan, bind)})
          ARRAY JOIN arrayFilter(n -> starts_on <= last_days[n + 1] AND ends_on > last_days[n + 1],
            range(0, ${last} + 1)) AS place
          GROUP BY customer, place
        )
      )
      WHERE month >= 1 AND month <= ${last}
      GROUP BY customer, month
    )
    GROUP BY month`;
}

/** A month without a row has no subscribers at its start or end. */
function toResult(
  index: number,
  row: Row | undefined,
  { startsAt, now, query }: Planned<Query>,
): MrrAnswer['results'][number] {
  const read = (name: Amount) => BigInt(row?.amounts[NAMES.indexOf(name)] ?? 0);
  const count = (name: Amount) => Number(row?.customers[NAMES.indexOf(name)] ?? 0);
  const amounts = NAMES.map((name) => [name, toMoney(read(name), query.site.currency)] as const);
  const isComplete = (startsAt[index + 1] ?? now) <= now;
  const rate = (part: bigint, whole: bigint) => (isComplete ? percentOf(part, whole) : null);
  const start = read('start');
  const kept = start + read('expansion') - read('contraction') - read('churned');
  assert(
    kept + read('new') + read('reactivated') === read('end'),
    'the movements of a month sum to what changed',
  );
  return {
    month: toBucketLabel(startsAt[index] ?? now, 'month', query.period.timeZone),
    ...(Object.fromEntries(amounts) as Record<Amount, Money>),
    customers: {
      start: count('start'),
      new: count('new'),
      expanded: count('expansion'),
      reactivated: count('reactivated'),
      contracted: count('contraction'),
      churned: count('churned'),
      end: count('end'),
    },
    customer_churn_rate: rate(BigInt(count('churned')), BigInt(count('start'))),
    revenue_churn_rate: rate(read('churned') + read('contraction'), start),
    net_revenue_retention: rate(kept, start),
    is_complete: isComplete,
  };
}

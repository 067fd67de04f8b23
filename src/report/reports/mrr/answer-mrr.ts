import type { Mrr, MrrAnswer } from '#contract/reports/mrr.ts';
import { assert } from '#domain/assert.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { echoOf } from '../../query/parse/parse-fields.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import { createReportKind } from '../report-kind.ts';
import { type MrrColumn, type MrrRow, toMrrStatement } from './mrr-statement.ts';
import { type MrrPlan, parseMrr } from './parse-mrr.ts';

/** Answers what comes in each month from subscriptions, and by which movements that changed. */
export function createMrr(parts: KindParts): QueryKind<Mrr, MrrAnswer> {
  return createReportKind(parts, {
    parse: parseMrr,
    toStatement: (asked) => (asked.startsAt.length < 2 ? undefined : toMrrStatement(asked)),
    paymentsOf: ({ filter }) => filter.payments,
    toAnswer(rows: readonly MrrRow[], asked, sent, moneyNotes) {
      const { query, startsAt, now } = asked;
      const months = startsAt.slice(0, -1);
      const rowsByMonth = new Map(rows.map((row) => [Number(row.month), row]));
      const { timeZone } = query.period;
      return {
        results: months.map((_, index) => toResult(index, rowsByMonth.get(index + 1), asked)),
        meta: moneyNotes,
        query: {
          ...echoOf(sent, {
            startsAt: startsAt[0] ?? now,
            endsAt: startsAt.at(-1) ?? now,
            timeZone,
          }),
        },
      };
    },
  });
}

/** A month without a row has no subscriber, nor had one at its start. */
function toResult(
  index: number,
  row: MrrRow | undefined,
  { startsAt, now, query }: MrrPlan,
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

import type { Retention, RetentionAnswer } from '#contract/reports/retention.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { echoOf } from '../../query/parse/parse-fields.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import { createReportKind } from '../report-kind.ts';
import { parseRetention, type RetentionPlan } from './parse-retention.ts';
import { type RetentionRow, toRetentionStatement } from './retention-statement.ts';

/** Answers how many of those who came, or paid, in a week or month do so again later. */
export function createRetention(parts: KindParts): QueryKind<Retention, RetentionAnswer> {
  return createReportKind(parts, {
    parse: parseRetention,
    toStatement: (asked) => (asked.cohorts === 0 ? undefined : toRetentionStatement(asked)),
    paymentsOf: ({ measure, filter }) => (measure === 'revenue' ? filter.payments : undefined),
    toAnswer(rows: readonly RetentionRow[], asked, sent, moneyNotes) {
      const { query, measure } = asked;
      const cohorts = toCohorts(rows, asked);
      const { timeZone } = query.period;
      const range = { startsAt: asked.startsAt[0] ?? asked.now, timeZone };
      return {
        results: cohorts.map((cohort) => toResult(cohort, asked)),
        overall: toOverall(cohorts, asked),
        meta: moneyNotes,
        query: {
          ...echoOf(sent, { ...range, endsAt: asked.startsAt[asked.cohorts] ?? asked.now }),
          unit: asked.unit,
          cohort: asked.cohort,
          measure,
          by: asked.by,
          periods: asked.periods,
        },
      };
    },
  });
}

type Cell = { readonly active: bigint; readonly minor: bigint; readonly isComplete: boolean };
type Cohort = { readonly startsAt: number; readonly size: bigint; readonly cells: readonly Cell[] };

/** Every cohort with the cells of all periods that have begun. */
function toCohorts(
  rows: readonly RetentionRow[],
  { cohorts, periods, startsAt, now }: RetentionPlan,
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
  { unit, query, measure }: RetentionPlan,
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
  { query, measure }: RetentionPlan,
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

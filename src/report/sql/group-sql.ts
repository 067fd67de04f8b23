import { type BucketUnit, toBuckets } from '#domain/time/buckets.ts';
import type { Bind, TimeDimension } from '../dimension.ts';
import { conversionsSql } from '../facts/conversions.ts';
import { attentionSql, eventsSql } from '../facts/events.ts';
import { paymentsSql } from '../facts/payments.ts';
import { visitsSql } from '../facts/visits.ts';
import { withoutEvents } from '../filter.ts';
import type { Fact } from '../metric.ts';
import type { Question } from '../question.ts';
import { bucketSql, instantsSql } from './buckets.ts';
import { countedAheadSql } from './counted-ahead.ts';
import type { Count } from './counts.ts';
import { columns, type FactSql } from './rows.ts';

const FACTS: Readonly<Record<Fact, (question: Question, bind: Bind) => FactSql>> = {
  visits: visitsSql,
  events: eventsSql,
  attention: attentionSql,
  conversions: conversionsSql,
  payments: paymentsSql,
};

/**
 * SQL of the counts of each fact by the dimensions `d0, d1, …`, laid over each other: every statement
 * of the union has all the columns, with 0 for what another fact counts.
 */
export function groupsSql(question: Question, counts: readonly Count[], bind: Bind): string[] {
  const facts = Map.groupBy(
    counts.filter(({ of }) => of !== 'payments' || question.hasPayments !== false),
    ({ of, ignoresEvents, model }) => `${of} ${ignoresEvents} ${model}`,
  );
  if (facts.size === 0) return [noneSql(question, counts)];
  return [...facts.values()].flatMap((own) => factSql(question, own, counts, bind));
}

/** One fact's own counts, as far as they can be taken from what was counted ahead. */
function factSql(
  question: Question,
  own: readonly Count[],
  counts: readonly Count[],
  bind: Bind,
): string[] {
  const [first] = own;
  if (first === undefined) return [];
  const asked = byModel(first.ignoresEvents ? ignoringEvents(question) : question, first.model);
  const { groups, left } = countedAheadSql(asked, own, counts, bind) ?? {
    groups: [],
    left: [{ question: asked, counts: own }],
  };
  return [...groups, ...left.map((rest) => groupSql(rest.question, rest.counts, counts, bind))];
}

/** The counts where there is nothing to count: no row of a breakdown, zeros of the whole. */
function noneSql({ dimensions }: Question, counts: readonly Count[]): string {
  const keys = dimensions.map(
    ({ of }, index) => `${of === 'time' ? 'toInt64(0)' : "''"} AS d${index}`,
  );
  const zeros = counts.map(({ column }) => `toInt128(0) AS ${column}`);
  return `SELECT ${[...keys, ...zeros].join(', ')} ${keys.length > 0 ? 'WHERE 0' : ''}`;
}

/** Counts that are all of one fact, see events and give credit alike. */
function groupSql(
  asked: Question,
  own: readonly Count[],
  counts: readonly Count[],
  bind: Bind,
): string {
  const [first] = own;
  if (first === undefined) return '';
  const fact = FACTS[first.of](asked, bind);
  const keys = asked.dimensions.map((dimension) => {
    const value = fact.toValue(dimension);
    return dimension.of === 'time' ? bucketSql(value, bucketsOf(asked, dimension), bind) : value;
  });
  const names = columns('d', keys);
  // Events that count for nothing here (a goal, when pageviews are asked for) make no row.
  const isCounted = own.map(({ column }) => `${column} != 0`).join(' OR ');
  return `
    SELECT ${[
      ...keys.map((key, index) => `${key} AS d${index}`),
      ...counts.map(
        (count) => `toInt128(${own.includes(count) ? count.sql : 0}) AS ${count.column}`,
      ),
    ].join(', ')}
    FROM ${fact.from}
    WHERE ${fact.where}
    ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : ''}
    ${names.length > 0 && (first.of === 'events' || first.of === 'attention') ? `HAVING ${isCounted}` : ''}`;
}

function byModel(question: Question, model: Count['model']): Question {
  if (model === undefined) return question;
  return { ...question, attribution: { ...question.attribution, model } };
}

function ignoringEvents(question: Question): Question {
  return {
    ...question,
    dimensions: question.dimensions.filter((dimension) => dimension.of !== 'event'),
    filter: withoutEvents(question.filter) ?? { op: 'and', of: [] },
  };
}

/** SQL of a row of zeros for each bucket that has begun by `now`. */
export function emptyBucketsSql(
  question: Question,
  dimension: TimeDimension<BucketUnit>,
  counts: readonly Count[],
  context: { readonly now: number; readonly bind: Bind },
): string {
  const begun = bucketsOf(question, dimension).filter((startsAt) => startsAt <= context.now);
  const zeros = counts.map(({ column }) => `toInt128(0) AS ${column}`);
  return `SELECT ${[`arrayJoin(${instantsSql(begun, context.bind)}) AS d0`, ...zeros].join(', ')}`;
}

function bucketsOf(question: Question, dimension: TimeDimension<BucketUnit>): number[] {
  return toBuckets(question.period, dimension.unit);
}

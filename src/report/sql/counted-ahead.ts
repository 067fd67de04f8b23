import { COUNTED_SUMS, type CountedSum, QUARTER_MS } from '#warehouse/settled-counts-table.ts';
import type { Bind } from '../dimension.ts';
import { conjuncts } from '../filter.ts';
import { distinctVisitors } from '../metric.ts';
import type { Question } from '../question.ts';
import { createBindings } from './bindings.ts';
import { bucketSql } from './buckets.ts';
import { type Ahead, type By, findBuckets, findBy, QUARTER_AT } from './counted-by.ts';
import { countedVisitorsSql, isCounted } from './counted-visitors.ts';
import type { Count } from './counts.ts';
import type { Group } from './group.ts';
import { DAY_MS } from './rows.ts';
import { newSinceSql } from './seen-before.ts';

/** Groups of counts, and what is still to be counted, by a question of its own. */
export type CountedAhead = {
  readonly groups: readonly Group[];
  readonly left: readonly { readonly question: Question; readonly counts: readonly Count[] }[];
};

/**
 * Those of a fact's counts that were counted ahead, grouped as group-sql.ts does; `undefined` where none
 * was, or not so: of some visits only, or by something else.
 */
export function countedAhead(
  question: Question,
  own: readonly Count[],
  counts: readonly Count[],
): CountedAhead | undefined {
  const of = own[0]?.of;
  const ahead = findAhead(question);
  if (ahead === undefined || (of !== 'visits' && of !== 'events')) return undefined;
  const buckets = findBuckets(question);
  const told = { of, ahead, buckets };
  const isToldApart = findBy(question, told, createBindings().bind) !== undefined;
  const visitors = own.filter(({ sql }) => isToldApart && sql === distinctVisitors());
  const isWhole = question.dimensions.length === 0;
  const sums = own.filter(
    (count) => (isWhole || buckets !== undefined) && findSum(count) !== undefined,
  );
  if (visitors.length + sums.length === 0) return undefined;
  const others = own.filter((count) => !visitors.includes(count) && !sums.includes(count));
  const open = ahead.open && { ...question, period: { ...question.period, ...ahead.open } };
  const toColumns: ToColumns = (mine, amountOf) =>
    counts
      .map((count) => `toInt128(${mine.includes(count) ? amountOf(count) : 0}) AS ${count.column}`)
      .join(', ');
  const visitorsGroup = (visitorsSql: VisitorsSql) => (bind: Bind) => {
    const by = findBy(question, told, bind);
    if (by === undefined) throw new Error('told apart by nothing');
    return `SELECT ${isWhole ? '' : 'value AS d0, '}${toColumns(visitors, () => 'sum(amount)')}
      FROM (${visitorsSql(by, ahead, question, bind)}) ${isWhole ? '' : 'GROUP BY d0'}`;
  };
  const groups: readonly (Group | false)[] = [
    visitors.length > 0 && { of: 'settled', toSql: visitorsGroup(countedVisitorsSql) },
    visitors.length > 0 &&
      open !== undefined && { of: 'happened', toSql: visitorsGroup(newSinceSql) },
    sums.length > 0 && {
      of: 'settled',
      toSql: (bind) => sumsSql({ sums, ahead, buckets, toColumns }, question, bind),
    },
  ];
  return {
    groups: groups.filter((group) => group !== false),
    left: [
      ...(sums.length > 0 && open !== undefined ? [{ question: open, counts: sums }] : []),
      ...(others.length > 0 ? [{ question, counts: others }] : []),
    ],
  };
}

/** SQL of a `value` and an `amount`: some of the visitors. */
type VisitorsSql = (by: By, ahead: Ahead, question: Question, bind: Bind) => string;

/** SQL of all columns of counts: the amount of each of `mine`, 0 for others. */
type ToColumns = (mine: readonly Count[], amountOf: (count: Count) => string) => string;

function sumsSql(
  {
    sums,
    ahead,
    buckets,
    toColumns,
  }: {
    readonly sums: readonly Count[];
    readonly ahead: Ahead;
    readonly buckets: readonly number[] | undefined;
    readonly toColumns: ToColumns;
  },
  question: Question,
  bind: Bind,
): string {
  const place = (count: Count) => bind(findSum(count)?.name ?? '', 'String');
  const columns = toColumns(sums, (count) => `sumIf(amount, counted = ${place(count)})`);
  const key = buckets === undefined ? '' : `${bucketSql(QUARTER_AT, buckets, bind)} AS d0, `;
  return `SELECT ${key}${columns} FROM settled_counts
    WHERE ${isCounted(ahead, question, bind)} AND counted IN (${sums.map(place).join(', ')})
    ${buckets === undefined ? '' : 'GROUP BY d0'}`;
}

/** Whole days from the period's start on, unless the question is about some visits only. */
function findAhead({ filter, person, period, counted = [] }: Question): Ahead | undefined {
  if (conjuncts(filter).length > 0 || person !== undefined) return undefined;
  const days = counted.filter(({ day }) => (day + 1) * DAY_MS > period.startsAt);
  const firstUncounted = days.findIndex(({ run }) => run === undefined);
  const known = firstUncounted < 0 ? days : days.slice(0, firstUncounted);
  const endsAt = Math.min(period.endsAt, ((known.at(-1)?.day ?? -1) + 1) * DAY_MS);
  const isOfQuarters = period.startsAt % QUARTER_MS === 0 && endsAt % QUARTER_MS === 0;
  if (endsAt <= period.startsAt || !isOfQuarters) return undefined;
  return {
    runs: known.flatMap(({ run }) => run ?? []),
    period: { startsAt: period.startsAt, endsAt },
    open: period.endsAt > endsAt ? { startsAt: endsAt, endsAt: period.endsAt } : undefined,
  };
}

function findSum({ of, sql }: Count): CountedSum | undefined {
  return COUNTED_SUMS.find((sum) => sum.of === of && sum.sql === sql);
}

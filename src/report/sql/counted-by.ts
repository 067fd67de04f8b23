import { toBuckets } from '#domain/time/buckets.ts';
import {
  COUNTED_VALUES,
  type CountedValue,
  EVERYBODY,
  QUARTER_MS,
} from '#warehouse/settled-counts-table.ts';
import type { Bind, EventDimension, VisitDimension } from '../dimension.ts';
import type { Question, Span } from '../question.ts';
import { bucketSql } from './buckets.ts';

/** What of a period was counted ahead. */
export type Ahead = {
  readonly runs: readonly number[];
  /** Up to the end of its last day. */
  readonly period: Span;
  /** What of the period comes after it, if anything does. */
  readonly open: Span | undefined;
};

/** SQL of when a quarter of an hour begins, in milliseconds. */
export const QUARTER_AT = `toInt64(quarter) * ${QUARTER_MS}`;

/** SQL of the quarter of an hour that begins at an instant; before 1970 nothing was counted. */
export function quarterSql(at: number, bind: Bind): string {
  return bind(Math.max(0, at) / QUARTER_MS, 'UInt32');
}

/** The buckets of a question by time alone, where quarters of an hour are not cut by one. */
export function findBuckets({ dimensions, period }: Question): number[] | undefined {
  const [only, ...others] = dimensions;
  if (only?.of !== 'time' || others.length > 0 || only.unit === 'minute') return undefined;
  const buckets = toBuckets(period, only.unit);
  return buckets.slice(1).every((at) => at % QUARTER_MS === 0) ? buckets : undefined;
}

/** What visitors are to be told apart by. */
export type ToldApart = {
  readonly of: CountedValue['of'];
  readonly ahead: Ahead;
  /** Of a question by time alone. */
  readonly buckets: readonly number[] | undefined;
};

/** How visitors are told apart. */
export type By = {
  readonly value: CountedValue;
  /** SQL over rows of `settled_counts` of the value that they are `shown` under, and of who is new with it. */
  readonly shown: string;
  readonly isNew: string;
  /** Where somebody may have been before who came after what was counted ahead. */
  readonly before: Span;
};

/** By what the question tells visitors apart, where that is counted ahead and says the same. */
export function findBy(
  question: Question,
  { of, ahead, buckets }: ToldApart,
  bind: Bind,
): By | undefined {
  const { startsAt, endsAt } = ahead.period;
  if (buckets !== undefined) {
    if (of !== EVERYBODY.of) return undefined;
    const lastAt = buckets.findLast((at) => at <= endsAt) ?? startsAt;
    return {
      value: {
        ...EVERYBODY,
        sql: bucketSql('toUnixTimestamp64Milli(visit_started_at)', buckets, bind),
      },
      shown: bucketSql(QUARTER_AT, buckets, bind),
      isNew: `toInt64(back) * ${QUARTER_MS} < greatest(shown, ${bind(startsAt, 'Int64')})`,
      before: { startsAt: Math.max(startsAt, lastAt), endsAt },
    };
  }
  const value = findValue(question, of, bind);
  if (value === undefined) return undefined;
  // 0 is where somebody never was before, so that nobody is back since the first quarter of 1970.
  const isNew = `back < ${quarterSql(Math.max(QUARTER_MS, startsAt), bind)}`;
  return { value, shown: 'value', isNew, before: ahead.period };
}

function findValue(
  question: Question,
  of: CountedValue['of'],
  bind: Bind,
): CountedValue | undefined {
  const [only, ...others] = question.dimensions;
  if (only === undefined) return of === EVERYBODY.of ? EVERYBODY : undefined;
  if (others.length > 0 || (only.of !== 'visit' && only.of !== 'event')) return undefined;
  const sql = valueSql(only, question, bind);
  return COUNTED_VALUES.find(
    (value) => value.of === of && value.name === only.name && value.sql === sql,
  );
}

function valueSql(
  dimension: VisitDimension | EventDimension,
  { site }: Question,
  bind: Bind,
): string {
  if (dimension.of === 'event') return dimension.sql(bind);
  return typeof dimension.sql === 'string' ? dimension.sql : dimension.sql(site, bind);
}

import { type BucketUnit, toBuckets } from '#domain/time/buckets.ts';
import { ALL_MODELS } from '../../attribution/credited-facts.ts';
import type { Bind, TimeDimension } from '../../dimension.ts';
import type { Fact } from '../../metric.ts';
import { withoutEvents } from '../filter.ts';
import type { Count } from '../plan/counts.ts';
import type { Query } from '../query.ts';
import { bucketSql, instantsSql } from './buckets.ts';
import { conversionsSql } from './facts/conversions.ts';
import { attentionSql, eventsSql } from './facts/events.ts';
import { paymentsSql } from './facts/payments.ts';
import { visitsSql } from './facts/visits.ts';
import { columns, type FactSql } from './rows.ts';

const FACTS: Readonly<Record<Fact, (query: Query, bind: Bind) => FactSql>> = {
  visits: visitsSql,
  events: eventsSql,
  attention: attentionSql,
  conversions: conversionsSql,
  payments: paymentsSql,
};

/**
 * The counts of each fact by the dimensions `d0, d1, …`, to be laid over each other: every group has
 * all the columns, with 0 for what another fact counts.
 */
export function toGroups(query: Query, counts: readonly Count[], bind: Bind): string[] {
  const facts = Map.groupBy(
    counts.filter(({ of }) => of !== 'payments' || query.has?.payments !== false),
    ({ of, ignoresEvents, model }) => `${of} ${ignoresEvents} ${model === 'first_touch'}`,
  );
  if (facts.size === 0) return [noneOf(query, counts)];
  return [...facts.values()].map((own) => {
    const asked = own.some(({ ignoresEvents }) => ignoresEvents) ? ignoringEvents(query) : query;
    return groupSql(byModelsOf(own, asked), own, counts, bind);
  });
}

/** The counts where there is nothing to count: no row of a breakdown, zeros of the whole. */
function noneOf({ dimensions }: Query, counts: readonly Count[]): string {
  const keys = dimensions.map(
    ({ of }, index) => `${of === 'time' ? 'toInt64(0)' : "''"} AS d${index}`,
  );
  const zeros = counts.map(({ column }) => `toInt128(0) AS ${column}`);
  return `SELECT ${[...keys, ...zeros].join(', ')} ${keys.length > 0 ? 'WHERE 0' : ''}`;
}

/** Counts that are all of one fact, see events and give credit alike. */
function groupSql(
  asked: Query,
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
  const isByModel = asked.attribution.alongside !== undefined;
  const grouped = isByModel ? [...names, 'credit_model'] : names;
  // Events that count for nothing here (a goal, when pageviews are asked for) make no row.
  const isCounted = own.map(({ column }) => `${column} != 0`).join(' OR ');
  return `
    SELECT ${[
      ...keys.map((key, index) => `${key} AS d${index}`),
      ...counts.map(
        (count) =>
          `${own.includes(count) ? countSql(count, asked) : 'toInt128(0)'} AS ${count.column}`,
      ),
    ].join(', ')}
    FROM ${fact.from}
    WHERE ${fact.where}
    ${grouped.length > 0 ? `GROUP BY ${grouped.join(', ')}` : ''}
    ${names.length > 0 && (first.of === 'events' || first.of === 'attention') ? `HAVING ${isCounted}` : ''}`;
}

/** The query by the counts' models; several share their paths, which cost most. */
function byModelsOf(own: readonly Count[], query: Query): Query {
  const models = [...new Set(own.map(({ model }) => model))].filter((model) => model !== undefined);
  const [model] = models;
  if (model === undefined) return query;
  const splitting = models.filter((each) => each !== 'first_touch');
  const alongside = splitting.length > 1 ? splitting : undefined;
  return { ...query, attribution: { ...query.attribution, model, alongside } };
}

/** SQL of a count; of one of several models, 0 in the groups of others. */
function countSql({ sql, model }: Count, { attribution: { alongside } }: Query): string {
  if (alongside === undefined) return `toInt128(${sql})`;
  const models: readonly Count['model'][] = alongside;
  const number = models.indexOf(model) + 1;
  return `if(credit_model IN (${ALL_MODELS}, ${number}), toInt128(${sql}), toInt128(0))`;
}

function ignoringEvents(query: Query): Query {
  return {
    ...query,
    dimensions: query.dimensions.filter((dimension) => dimension.of !== 'event'),
    filter: withoutEvents(query.filter) ?? { op: 'and', of: [] },
  };
}

/** A row of zeros for each bucket that has begun by `now`. */
export function emptyBuckets(
  query: Query,
  dimension: TimeDimension<BucketUnit>,
  counts: readonly Count[],
  now: number,
  bind: Bind,
): string {
  const begun = bucketsOf(query, dimension).filter((startsAt) => startsAt <= now);
  const zeros = counts.map(({ column }) => `toInt128(0) AS ${column}`);
  return `SELECT ${[`arrayJoin(${instantsSql(begun, bind)}) AS d0`, ...zeros].join(', ')}`;
}

function bucketsOf(query: Query, dimension: TimeDimension<BucketUnit>): number[] {
  return toBuckets(query.period, dimension.unit);
}

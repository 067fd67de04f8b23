import { toBuckets } from '#domain/time/buckets.ts';
import type { Bind, Dimension, EachDimension } from '../../../dimension.ts';
import type { Fact } from '../../../metric.ts';
import type { Count, FactPlan, Layer, Rank, Scope } from '../../plan/plan.ts';
import { conversionsSql } from '../facts/conversions.ts';
import { costsSql } from '../facts/costs.ts';
import { eventsSql } from '../facts/events.ts';
import { paymentsSql } from '../facts/payments.ts';
import { visitsSql } from '../facts/visits.ts';
import { columnOf, columnOfVisit, columns, type FactSql, fromArraySql } from '../rows.ts';

const FACTS: Readonly<Record<Fact, (plan: FactPlan, bind: Bind) => FactSql>> = {
  visits: visitsSql,
  events: eventsSql,
  attention: eventsSql,
  conversions: conversionsSql,
  payments: paymentsSql,
  costs: costsSql,
};

/** The columns that tell a layer's rows apart: `d0, d1, …`, and `is_total` if one is for the whole. */
export function keyColumns({ keys, hasTotal }: Layer): string[] {
  return [...columns('d', keys), ...(hasTotal ? ['is_total'] : [])];
}

/**
 * SQL for a layer's rows: the counts of each fact by its keys, merged so that no fact multiplies another.
 * `now` in milliseconds, UTC.
 */
export function layerSql(layer: Layer, scope: Scope, now: number, bind: Bind): string {
  const keys = keyColumns(layer);
  const { rank, columns: counts } = layer;
  const names = [...keys, ...counts];
  const groups = layer.facts.map((fact, index) =>
    index === rank?.fact ? fromArraySql('ranked.1', names) : groupSql(fact, layer, bind, rank),
  );
  if (layer.filledBy !== undefined || groups.length === 0) {
    groups.push(zerosSql(layer, scope, now, bind));
  }
  if (!layer.isMerged) return groups.join();
  const sums = counts.map((column) => `sum(${column}) AS ${column}`);
  const ranking = rank && layer.facts[rank.fact];
  const ranked = ranking && rankedSql(groupSql(ranking, layer, bind), names, rank);
  return `
    ${ranked === undefined ? '' : `WITH (${ranked}) AS ranked`}
    SELECT ${[...keys, ...sums].join(', ')}
    FROM (${groups.join('\nUNION ALL\n')})
    ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}`;
}

/** SQL for the ranking fact's rows, the first ones' least sum, and their keys: one value, as each is planned anew. */
function rankedSql(rows: string, names: readonly string[], rank: Rank): string {
  const sum = `row.${names.indexOf(rank.column) + 1}`;
  return `
    SELECT tuple(groupArray(tuple(${names.join(', ')})) AS rows,
      arrayReverseSort(arrayMap(row -> ${sum}, rows))[${rank.rows}] AS least,
      arrayMap(row -> row.1, arrayFilter(row -> ${sum} >= least, rows)))
    FROM (${rows})`;
}

/** SQL for the counts of one fact, with 0 for those of others. */
function groupSql(plan: FactPlan, layer: Layer, bind: Bind, rank?: Rank): string {
  const { from, where } = FACTS[plan.of](plan, bind);
  const isOfEvents = plan.of === 'events' || plan.of === 'attention';
  const toColumn = (dimension: Dimension) =>
    (isOfEvents ? columnOfVisit : columnOf)(plan.values, dimension);
  const keys = plan.keys.map((dimension, index) => {
    if (dimension.of === 'each') return `${eachSql(dimension, toColumn, bind)} AS d${index}`;
    const value = toColumn(dimension);
    const isTime = dimension.of === 'time';
    return `${isTime ? bucketSql(value, toBuckets(plan.period, dimension.unit), bind) : value} AS d${index}`;
  });
  const names = columns('d', keys);
  const models = plan.counts.some(isOfModel) ? ['credit_model'] : [];
  const [first] = plan.keys;
  const each = first?.of === 'each' ? first.each.map(toColumn) : undefined;
  const sets = each?.map((column) => [column, ...models]) ?? [[...names, ...models]];
  if (layer.hasTotal) {
    sets.push(models);
    const grouped = each ?? names;
    keys.push(`grouping(${grouped.join(', ')}) = ${2 ** grouped.length - 1} AS is_total`);
  }
  const byColumn = new Map(plan.counts.map((count) => [count.column, count]));
  const counts = layer.columns.map((column) => `${countSql(byColumn.get(column))} AS ${column}`);
  // Events that are not counted here (a goal, in a query for pageviews) add no row.
  const isCounted = plan.counts.map(({ column }) => `${column} != 0`).join(' OR ');
  // Every key may be among the first, unless enough rows have a sum above 0.
  const isShown =
    rank && first && `ranked.2 <= 0 OR ${toColumn(first)} IN (SELECT arrayJoin(ranked.3))`;
  return `
    WITH ${isShown ? `if(${isShown}, visitor, 0)` : 'visitor'} AS shown_visitor
    SELECT ${[...keys, ...counts].join(', ')}
    FROM ${from}
    WHERE ${where}
    ${groupBySql(sets)}
    ${names.length > 0 && isOfEvents ? `HAVING ${isCounted}` : ''}`;
}

/** SQL that groups by one or several sets of columns. */
function groupBySql([first = [], ...others]: readonly (readonly string[])[]): string {
  if (others.length === 0) return first.length > 0 ? `GROUP BY ${first.join(', ')}` : '';
  const sets = [first, ...others].map((set) => `(${set.join(', ')})`);
  return `GROUP BY GROUPING SETS (${sets.join(', ')})`;
}

/** SQL for the dimension that a row is of, or its value: in a grouping set, the columns of the others are empty. */
function eachSql(
  { name, each }: EachDimension,
  toColumn: (dimension: Dimension) => string,
  bind: Bind,
): string {
  const columns = each.map(toColumn).join(', ');
  if (name === 'value') return `concat(${columns})`;
  const names = bind(
    each.map((dimension) => dimension.name),
    'Array(String)',
  );
  // The engine sets a bit for each column that is not in the set, the first column's the highest.
  const bits = each.map((_, index) => 2 ** each.length - 1 - 2 ** (each.length - 1 - index));
  return `transform(grouping(${columns}), ${bind(bits, 'Array(UInt64)')}, ${names}, '')`;
}

function isOfModel({ modelNumber }: Count): boolean {
  return modelNumber !== undefined;
}

/** SQL for a count; for one of several models, 0 in the others' groups. */
function countSql(count: Count | undefined): string {
  if (count === undefined) return 'toInt128(0)';
  const { sql, modelNumber } = count;
  if (modelNumber === undefined) return `toInt128(${sql})`;
  return `if(credit_model = ${modelNumber}, toInt128(${sql}), toInt128(0))`;
}

/** SQL for rows of zeros: one for each bucket begun by `now`; without buckets none, or the total's. */
function zerosSql(layer: Layer, { period }: Scope, now: number, bind: Bind): string {
  const { keys, columns: names, filledBy, hasTotal } = layer;
  const zeros = names.map((column) => `toInt128(0) AS ${column}`);
  if (hasTotal) zeros.unshift('0 AS is_total');
  if (filledBy !== undefined) {
    const begun = toBuckets(period, filledBy.unit).filter((startsAt) => startsAt <= now);
    return `SELECT ${[`arrayJoin(${instantsSql(begun, bind)}) AS d0`, ...zeros].join(', ')}`;
  }
  const none = keys.map(({ of }, index) => `${of === 'time' ? 'toInt64(0)' : "''"} AS d${index}`);
  return `SELECT ${[...none, ...zeros].join(', ')} ${keys.length > 0 ? 'WHERE 0' : ''}`;
}

/**
 * SQL for an array of instants.
 *
 * Why instants and not a zone: a single authority, `Temporal`, decides where days begin, whatever zone data an engine
 * has. Why listed one by one: generating them from runs of equal steps takes longer to plan than reading them, up to
 * a query's maximum number of points.
 *
 * - Units: milliseconds since 1970, UTC, ascending, as from `toBuckets`.
 */
function instantsSql(instants: readonly number[], bind: Bind): string {
  return bind(instants, 'Array(Int64)');
}

/** SQL for the bucket that contains an instant, named by its start. */
function bucketSql(instant: string, buckets: readonly number[], bind: Bind): string {
  return `roundDown(${instant}, ${instantsSql(buckets, bind)})`;
}

import { toBuckets } from '#domain/time/buckets.ts';
import type { Bind } from '../../dimension.ts';
import { type Count, metricSql, toCounts } from '../plan/counts.ts';
import type { Query } from '../query.ts';
import { createBindings } from './bindings.ts';
import { instantsSql } from './buckets.ts';
import { emptyBuckets, toGroups } from './group-sql.ts';
import { afterSql, pageSql } from './page.ts';
import { columns } from './rows.ts';

/** A statement ready to be asked. */
export type Statement = {
  readonly sql: string;
  /** Values for the `{name:Type}` places. */
  readonly params: Readonly<Record<string, unknown>>;
};

/**
 * The statement that answers a query: columns `d0, d1, …` for its dimensions (time as the
 * bucket's start in milliseconds) and `t0, t1, …` for its metrics, as text or null.
 *
 * - Units: `now` in milliseconds, UTC.
 * - Shape: each fact is counted by itself, grouped by the dimensions, and the groups are laid over
 *   each other, so that no fact multiplies another. A series by time alone has a row for every
 *   bucket that has begun by `now`. With `among`, only rows whose dimensions stand on that
 *   query's page; buckets of its period stand for those of this one by their position.
 */
export function toStatement(
  query: Query,
  now: number,
  { among }: { readonly among?: Query } = {},
): Statement {
  const { bind, params } = createBindings();
  const keys = columns('d', query.dimensions);
  // As text, so that no number passes through a float on its way; order still sees numbers.
  const texts = query.metrics.map((_, index) => `toString(m${index}) AS t${index}`);
  const isAmong =
    among === undefined || keys.length === 0
      ? '1'
      : `tuple(${keys.join(', ')}) IN (
          SELECT tuple(${standingFor(among, query, bind).join(', ')}) FROM (${rowsSql(among, now, bind)}) WHERE ${afterSql(among, bind)} ${pageSql(among, bind)})`;
  const sql = `
    SELECT ${[...keys, ...texts].join(', ')}
    FROM (${rowsSql(query, now, bind)})
    WHERE ${isAmong} AND ${afterSql(query, bind)}
    ${pageSql(query, bind)}`;
  return { sql, params };
}

/** SQL of a row's dimensions as they are in the other query's period. */
function standingFor(among: Query, { period }: Query, bind: Bind): string[] {
  return among.dimensions.map((dimension, index) => {
    if (dimension.of !== 'time') return `d${index}`;
    const theirs = toBuckets(among.period, dimension.unit);
    const ours = toBuckets(period, dimension.unit).slice(0, theirs.length);
    const [from, to] = [theirs.slice(0, ours.length), ours];
    return `transform(d${index}, ${instantsSql(from, bind)}, ${instantsSql(to, bind)}, toInt64(-1))`;
  });
}

/** The statement that counts the rows of a query without its pagination, as `total_rows`. */
export function toCountStatement(query: Query, now: number): Statement {
  const { bind, params } = createBindings();
  return { sql: `SELECT count() AS total_rows FROM (${rowsSql(query, now, bind)})`, params };
}

/** SQL of rows with columns `d0, …` for dimensions and `m0, …` for metrics, as numbers. */
export function rowsSql(query: Query, now: number, bind: Bind): string {
  const counts = toCounts(query);
  const isWithEvents = query.dimensions.some((dimension) => dimension.of === 'event');
  const joined = counts.filter((count) => count.ignoresEvents && isWithEvents);
  const laid = counts.filter((count) => !joined.includes(count));

  const metrics = query.metrics.map(
    (metric, index) => `${metricSql(metric, counts, query)} AS m${index}`,
  );
  return `
    SELECT ${[...columns('d', query.dimensions), ...metrics].join(', ')}
    FROM (${laidOverSql(query, laid, now, bind)}) AS counted
    ${joined.length > 0 ? joinSql(query, joined, bind) : ''}`;
}

function laidOverSql(query: Query, counts: readonly Count[], now: number, bind: Bind): string {
  const groups = toGroups(query, counts, bind);
  const [only, ...others] = query.dimensions;
  if (only?.of === 'time' && others.length === 0) {
    groups.push(emptyBuckets(query, only, counts, now, bind));
  }
  const keys = columns('d', query.dimensions);
  return sumSql(
    groups,
    keys.map((key) => `${key} AS ${key}`),
    counts,
    keys,
  );
}

/** Counts that ignore the event dimensions, joined to each row by all its other dimensions. */
function joinSql(query: Query, counts: readonly Count[], bind: Bind): string {
  const shared = query.dimensions.filter((dimension) => dimension.of !== 'event');
  const asked = { ...query, dimensions: shared };
  const pairs = shared.map((dimension, index) => ({
    from: `d${index}`,
    to: `d${query.dimensions.indexOf(dimension)}`,
    name: `k${index}`,
  }));
  const whole = sumSql(
    toGroups(asked, counts, bind),
    pairs.map(({ from, name }) => `${from} AS ${name}`),
    counts,
    pairs.map(({ from }) => from),
  );
  if (pairs.length === 0) return `CROSS JOIN (${whole}) AS whole`;
  const on = pairs.map(({ to, name }) => `${to} = ${name}`);
  return `LEFT JOIN (${whole}) AS whole ON ${on.join(' AND ')}`;
}

function sumSql(
  groups: readonly string[],
  selected: readonly string[],
  counts: readonly Count[],
  keys: readonly string[],
): string {
  const sums = counts.map(({ column }) => `sum(${column}) AS ${column}`);
  return `
    SELECT ${[...selected, ...sums].join(', ')}
    FROM (${groups.join('\nUNION ALL\n')})
    ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}`;
}

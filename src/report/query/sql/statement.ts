import { toBuckets } from '#domain/time/buckets.ts';
import type { Bind } from '../../dimension.ts';
import type { ReportStatement } from '../../ports.ts';
import type { Plan } from '../plan/plan.ts';
import { createBindings } from './bindings.ts';
import { instantsSql } from './buckets.ts';
import { layerSql } from './group-sql.ts';
import { pageSql } from './page.ts';
import { columns } from './rows.ts';

/**
 * The statement that answers a plan: columns `d0, d1, …` for its dimensions (time as the
 * bucket's start in milliseconds) and `t0, t1, …` for its metrics, as text or null.
 *
 * - Units: `now` in milliseconds, UTC.
 * - Shape: with `among`, only rows whose dimensions stand on that plan's page; buckets of its period
 *   stand for those of this one by their position. With `countsRows`, also `total_rows`.
 */
export function toStatement(
  plan: Plan,
  now: number,
  {
    among,
    countsRows = false,
  }: { readonly among?: Plan | undefined; readonly countsRows?: boolean } = {},
): ReportStatement {
  const { bind, params } = createBindings();
  const keys = columns('d', plan.dimensions);
  // As text, so that no number passes through a float on its way; order still sees numbers.
  const texts = plan.metrics.map((_, index) => `toString(m${index}) AS t${index}`);
  const total = countsRows ? ['toString(count() OVER ()) AS total_rows'] : [];
  const isAmong =
    among === undefined || keys.length === 0
      ? undefined
      : `tuple(${keys.join(', ')}) IN (
          SELECT tuple(${standingFor(among, plan, bind).join(', ')}) FROM (${rowsSql(among, now, bind)}) ${pageSql(among, bind)})`;
  const sql = `
    SELECT ${[...keys, ...texts, ...total].join(', ')}
    FROM (${rowsSql(plan, now, bind)})
    ${pageSql(plan, bind, isAmong)}`;
  return { sql, params };
}

/** SQL of a row's dimensions as they are in the other plan's period. */
function standingFor(among: Plan, { period }: Plan, bind: Bind): string[] {
  return among.dimensions.map((dimension, index) => {
    if (dimension.of !== 'time') return `d${index}`;
    const theirs = toBuckets(among.period, dimension.unit);
    const ours = toBuckets(period, dimension.unit).slice(0, theirs.length);
    const [from, to] = [theirs.slice(0, ours.length), ours];
    return `transform(d${index}, ${instantsSql(from, bind)}, ${instantsSql(to, bind)}, toInt64(-1))`;
  });
}

/** The statement that counts the rows of a plan without its pagination, as `total_rows`. */
export function toCountStatement(plan: Plan, now: number): ReportStatement {
  const { bind, params } = createBindings();
  return { sql: `SELECT count() AS total_rows FROM (${rowsSql(plan, now, bind)})`, params };
}

/** SQL of rows with columns `d0, …` for dimensions and `m0, …` for metrics, as numbers. */
export function rowsSql(plan: Plan, now: number, bind: Bind): string {
  const metrics = plan.metrics.map(({ sql }, index) => `${sql} AS m${index}`);
  return `
    SELECT ${[...columns('d', plan.dimensions), ...metrics].join(', ')}
    FROM (${layerSql(plan.rows, plan, now, bind)}) AS counted
    ${joinWholeSql(plan, now, bind)}`;
}

/** SQL that joins counts that ignore the event dimensions to each row by all its other dimensions. */
function joinWholeSql(plan: Plan, now: number, bind: Bind): string {
  const { whole } = plan;
  if (whole === undefined) return '';
  const keys = whole.keys.map((_, index) => `d${index} AS k${index}`);
  const on = whole.keys.map((key, index) => `d${plan.dimensions.indexOf(key)} = k${index}`);
  const rows = `SELECT ${[...keys, ...whole.columns].join(', ')}
    FROM (${layerSql(whole, plan, now, bind)})`;
  if (keys.length === 0) return `CROSS JOIN (${rows}) AS whole`;
  return `LEFT JOIN (${rows}) AS whole ON ${on.join(' AND ')}`;
}

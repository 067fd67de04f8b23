import type { Bind, Dimension } from '../../../dimension.ts';
import type { Metric } from '../../../metric.ts';
import type { ReportStatement } from '../../../ports.ts';
import type { Layer, Plan } from '../../plan/plan.ts';
import type { Order } from '../../query.ts';
import { columns, createBindings } from '../rows.ts';
import { keyColumns, layerSql } from './group-sql.ts';

/**
 * The statement that answers a plan: columns `d0, d1, …` for its dimensions (time as the bucket's start in
 * milliseconds) and `t0, t1, …` for its metrics, as text or null.
 *
 * - Units: `now` in milliseconds, UTC.
 * - Shape: with `among`, only rows with these dimensions, as text. With `countsRows`, also `total_rows`. The row for the whole, if planned, comes first, with `is_total`.
 */
export function toStatement(
  plan: Plan,
  now: number,
  {
    among,
    countsRows = false,
  }: {
    readonly among?: readonly (readonly string[])[] | undefined;
    readonly countsRows?: boolean;
  } = {},
): ReportStatement {
  const { bind, params } = createBindings();
  // As text, so that no number passes through a float; sorting still sees numbers.
  const texts = plan.metrics.map((_, index) => `toString(m${index}) AS t${index}`);
  const { hasTotal } = plan.rows;
  const rows = hasTotal ? 'countIf(is_total = 0)' : 'count()';
  const total = countsRows ? [`toString(${rows} OVER ()) AS total_rows`] : [];
  const isAmong = among && `(${hasTotal ? 'is_total OR ' : ''}${isOneOf(among, plan, bind)})`;
  const sql = `
    SELECT ${[...keyColumns(plan.rows), ...texts, ...total].join(', ')}
    FROM (${rowsSql(plan, now, bind)})
    ${pageSql(plan, bind, isAmong)}`;
  return { sql, params };
}

function isOneOf(keys: readonly (readonly string[])[], { dimensions }: Plan, bind: Bind): string {
  const texts = columns('d', dimensions).map((column) => `toString(${column})`);
  const values = texts.map((_, index) => {
    const own = keys.map((key) => key[index] ?? '');
    return bind(own, 'Array(String)');
  });
  return `tuple(${texts.join(', ')}) IN arrayZip(${values.join(', ')})`;
}

/** The statement that counts the rows of a plan without its pagination, as `total_rows`. */
export function toCountStatement(plan: Plan, now: number): ReportStatement {
  const { bind, params } = createBindings();
  const all = { ...plan, rows: { ...plan.rows, rank: undefined } };
  return { sql: `SELECT count() AS total_rows FROM (${rowsSql(all, now, bind)})`, params };
}

/** SQL for rows with columns `d0, …` for dimensions and `m0, …` for metrics, as numbers. */
export function rowsSql(plan: Plan, now: number, bind: Bind): string {
  const metrics = plan.metrics.map(({ sql }, index) => `${sql} AS m${index}`);
  return `
    SELECT ${[...keyColumns(plan.rows), ...metrics].join(', ')}
    FROM (${layerSql(plan.rows, plan, now, bind)}) AS counted
    ${plan.wholes.map((whole, index) => joinWholeSql(whole, `w${index}`, plan, now, bind)).join('\n')}`;
}

/** SQL that joins counts that ignore dimensions to each row by the other ones. */
function joinWholeSql(whole: Layer, name: string, plan: Plan, now: number, bind: Bind): string {
  const keys = whole.keys.map((_, index) => `d${index} AS ${name}_${index}`);
  const on = whole.keys.map((key, index) => `d${plan.dimensions.indexOf(key)} = ${name}_${index}`);
  const rows = `SELECT ${[...keys, ...whole.columns].join(', ')}
    FROM (${layerSql(whole, plan, now, bind)})`;
  if (keys.length === 0) return `CROSS JOIN (${rows}) AS ${name}`;
  return `LEFT JOIN (${rows}) AS ${name} ON ${on.join(' AND ')}`;
}

/** SQL for the order and page of the rows that meet a condition. */
export function pageSql(plan: Plan, bind: Bind, condition = '1'): string {
  const { limit, offset, after } = plan.page;
  const isBehind = after === undefined ? '1' : isBehindSql(plan.order, after, plan, bind);
  const order = plan.order.map(
    ({ by, direction }) => `${columnOf(by, plan)} ${direction} NULLS LAST`,
  );
  const { hasTotal } = plan.rows;
  if (hasTotal) order.unshift('is_total DESC'); // Beyond the limit.
  return `WHERE ${condition} AND ${isBehind}
    ${order.length > 0 ? `ORDER BY ${order.join(', ')}` : ''}
    LIMIT ${bind(limit + Number(hasTotal), 'UInt64')} OFFSET ${bind(offset, 'UInt64')}`;
}

/** SQL condition for rows after the one with these values. Nulls sort last, so nothing follows one. */
function isBehindSql(
  [first, ...others]: readonly Order[],
  [value = null, ...further]: readonly (string | null)[],
  plan: Plan,
  bind: Bind,
): string {
  if (first === undefined) return '0';
  const column = columnOf(first.by, plan);
  const behindOthers = isBehindSql(others, further, plan, bind);
  if (value === null) return `${column} IS NULL AND ${behindOthers}`;
  const bound = boundSql(first.by, value, bind);
  const sign = first.direction === 'asc' ? '>' : '<';
  return `(${column} ${sign} ${bound} OR ${column} IS NULL OR ${column} = ${bound} AND ${behindOthers})`;
}

/** A value in its column's type: whole numbers stay whole. */
function boundSql(by: Metric | Dimension, value: string, bind: Bind): string {
  const text = bind(value, 'String');
  if ('of' in by) return by.of === 'time' ? `toInt64OrZero(${text})` : text;
  const isWhole = by.unit === 'count' || by.unit === 'money';
  return isWhole ? `toInt128OrZero(${text})` : `toFloat64OrZero(${text})`;
}

function columnOf(by: Metric | Dimension, { metrics, dimensions }: Plan): string {
  const metric = metrics.findIndex(({ name }) => name === by.name);
  return metric >= 0 ? `m${metric}` : `d${dimensions.findIndex(({ name }) => name === by.name)}`;
}

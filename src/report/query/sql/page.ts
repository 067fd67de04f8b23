import type { Bind, Dimension } from '../../dimension.ts';
import type { Metric } from '../../metric.ts';
import type { Plan } from '../plan/plan.ts';
import type { Order } from '../query.ts';

/** SQL of which of the rows that meet a condition a page has, in their order. */
export function pageSql(plan: Plan, bind: Bind, condition = '1'): string {
  const { limit, offset, after } = plan.page;
  const isBehind = after === undefined ? '1' : isBehindSql(plan.order, after, plan, bind);
  const order = plan.order.map(
    ({ by, direction }) => `${columnOf(by, plan)} ${direction} NULLS LAST`,
  );
  return `WHERE ${condition} AND ${isBehind}
    ${order.length > 0 ? `ORDER BY ${order.join(', ')}` : ''}
    LIMIT ${bind(limit, 'UInt64')} OFFSET ${bind(offset, 'UInt64')}`;
}

/** SQL that holds for rows behind the one with these values. Nulls stand last, so nothing is behind one. */
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

/** A value as its column has it: whole numbers stay whole. */
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

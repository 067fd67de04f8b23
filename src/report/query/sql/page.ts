import type { Bind, Dimension } from '../../dimension.ts';
import type { Metric } from '../../metric.ts';
import type { Plan } from '../plan/plan.ts';
import type { Order } from '../query.ts';

/** SQL of which rows a page has, by their values: those behind the row that the last page ended with. */
export function afterSql(plan: Plan, bind: Bind): string {
  const { after } = plan.page;
  if (after === undefined || plan.order.length === 0) return '1';
  const terms = plan.order.map((order, index) => {
    const same = plan.order
      .slice(0, index)
      .map((earlier, at) => isSame(earlier, after[at] ?? null, plan, bind));
    return [...same, isBehind(order, after[index] ?? null, plan, bind)].join(' AND ');
  });
  return `(${terms.join(' OR ')})`;
}

/** SQL of the order of rows, and how many of them. */
export function pageSql(plan: Plan, bind: Bind): string {
  const order = plan.order.map(
    ({ by, direction }) => `${columnOf(by, plan)} ${direction} NULLS LAST`,
  );
  const { limit, offset } = plan.page;
  return `
    ${order.length > 0 ? `ORDER BY ${order.join(', ')}` : ''}
    LIMIT ${bind(limit, 'UInt64')} OFFSET ${bind(offset, 'UInt64')}`;
}

function isSame({ by }: Order, value: string | null, plan: Plan, bind: Bind): string {
  const column = columnOf(by, plan);
  return value === null ? `${column} IS NULL` : `${column} = ${bound(by, value, bind)}`;
}

/** Nulls stand last either way, so nothing is behind one. */
function isBehind(order: Order, value: string | null, plan: Plan, bind: Bind): string {
  if (value === null) return '0';
  const column = columnOf(order.by, plan);
  const sign = order.direction === 'asc' ? '>' : '<';
  return `(${column} ${sign} ${bound(order.by, value, bind)} OR ${column} IS NULL)`;
}

/** A value as its column has it: whole numbers stay whole. */
function bound(by: Metric | Dimension, value: string, bind: Bind): string {
  const text = bind(value, 'String');
  if ('of' in by) return by.of === 'time' ? `toInt64OrZero(${text})` : text;
  const isWhole = by.unit === 'count' || by.unit === 'money';
  return isWhole ? `toInt128OrZero(${text})` : `toFloat64OrZero(${text})`;
}

function columnOf(by: Metric | Dimension, { metrics, dimensions }: Plan): string {
  const metric = metrics.findIndex(({ name }) => name === by.name);
  return metric >= 0 ? `m${metric}` : `d${dimensions.findIndex(({ name }) => name === by.name)}`;
}

import { findCurrency } from '#domain/money/currencies.ts';
import type { Bind, Dimension } from '../../../dimension.ts';
import type { ReportStatement } from '../../../ports.ts';
import type { Plan } from '../../plan/plan.ts';
import { createBindings } from '../rows.ts';
import { pageSql, rowsSql } from './statement.ts';

/**
 * The statement that answers a query as a table, with a column for each dimension and metric, under its name, with
 * `_` for `:` (`visit_source`, `revenue`).
 *
 * - Units: time as the start of a bucket, in UTC; money as a decimal in the site's currency.
 * - Shape: a custom parameter's column is `event_props`, the second one's `event_props_2`: identifiers never contain
 *   a caller's text.
 */
export function toFileStatement(plan: Plan, now: number): ReportStatement {
  const { bind, params } = createBindings();
  const names = columnNames(plan.dimensions);
  const dimensions = plan.dimensions.map(({ of }, index) => {
    const isTime = of === 'time';
    const value = isTime
      ? `fromUnixTimestamp64Milli(toInt64(d${index}), 'UTC')`
      : `toString(d${index})`;
    return `${value} AS ${names[index]}`;
  });
  const metrics = plan.metrics.map(
    (metric, index) =>
      `${metricSql(metric, `m${index}`, plan, bind)} AS ${metric.name.replace(':', '_')}`,
  );
  const sql = `
    SELECT ${[...dimensions, ...metrics].join(', ')}
    FROM (${rowsSql(plan, now, bind)})
    ${pageSql(plan, bind)}`;
  return { sql, params };
}

function columnNames(dimensions: readonly Dimension[]): string[] {
  const timesByName = new Map<string, number>();
  return dimensions.map(({ name }) => {
    const column = name.startsWith('event:props:') ? 'event_props' : name.replaceAll(':', '_');
    const times = (timesByName.get(column) ?? 0) + 1;
    timesByName.set(column, times);
    return times === 1 ? column : `${column}_${times}`;
  });
}

function metricSql(
  { unit }: Plan['metrics'][number],
  column: string,
  { isInParts, site }: Plan,
  bind: Bind,
): string {
  if (unit === 'money') {
    const exponent = findCurrency(site.currency)?.exponent ?? 0;
    return `toDecimal128(${column}, ${exponent}) / toDecimal128(${bind(10 ** exponent, 'Int64')}, 0)`;
  }
  const isWhole = unit === 'count' || unit === 'seconds' || (unit === 'credit' && !isInParts);
  return `${isWhole ? 'toInt64OrNull' : 'toFloat64OrNull'}(toString(${column}))`;
}

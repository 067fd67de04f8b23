import { assert } from '#domain/assert.ts';
import { daysOfPeriod } from '#domain/time/days-of-period.ts';
import { type Bind, costValueSql, type FilteredDimension, zoneSql } from '../../../dimension.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { toCondition } from '../condition.ts';
import { moneyColumns } from '../converted.ts';
import { all, columnOf, type FactSql, ofSite } from '../rows.ts';

/**
 * Costs of the days that begin in the period, by their own source.
 *
 * - Shape: a cost's day is the same date in the zone of every query. `at` is its noon, which is in its bucket whenever
 *   clocks change.
 * - `which`: SQL condition over a row of `costs`, to select a few.
 */
export function costsSql(plan: FactPlan, bind: Bind, which?: string): FactSql {
  const { from, until } = daysOfPeriod(plan.period);
  const where = all(
    ofSite(plan, bind),
    `day >= toDate(${bind(from, 'String')}) AND day < toDate(${bind(until, 'String')})`,
    which,
  );
  const noon = `addHours(toDateTime(day, ${zoneSql(plan.period.timeZone, bind)}), 12)`;
  const { visit, visitor } = plan.values;
  const values = [...toColumns('v', visit, plan, bind), ...toColumns('u', visitor, plan, bind)];
  const rows = `
    SELECT currency, toInt64(toUnixTimestamp(${noon})) * 1000 AS at, toUInt64(0) AS visitor,
      ${[moneyColumns(plan), ...values].join(', ')}
    FROM costs FINAL WHERE ${where}`;
  return {
    from: `(${rows}) AS fact`,
    where: toCondition(plan.filter, {
      toValue: (dimension) => columnOf(plan.values, dimension),
      bind,
    }),
  };
}

function toColumns(
  prefix: string,
  dimensions: readonly FilteredDimension[],
  plan: FactPlan,
  bind: Bind,
): string[] {
  return dimensions.map((dimension, index) => {
    const value = costValueSql(dimension, plan, bind);
    assert(value !== undefined, `a query of costs by ${dimension.name} is refused`);
    return `${value} AS ${prefix}${index}`;
  });
}

import type { Bind } from '../dimension.ts';
import type { Scope } from '../query/plan/plan.ts';
import { zoneSql } from '../query/sql/engine-zone.ts';

/**
 * SQL of until when a touch counts, over rows of `payments`: the payment's instant, or the end of its
 * day when all that is known of it is a date, which is kept as midnight in the site's zone.
 */
export function creditAtSql({ site }: Scope, bind: Bind): string {
  const day = `toStartOfDay(paid_at, ${zoneSql(site.timezone, bind)})`;
  return `if(toInt64(toUnixTimestamp(${day})) * 1000 = toUnixTimestamp64Milli(paid_at),
        toInt64(toUnixTimestamp(addDays(${day}, 1))) * 1000 - 1, toUnixTimestamp64Milli(paid_at))`;
}

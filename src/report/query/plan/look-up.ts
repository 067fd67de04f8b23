import type { Bind } from '../../dimension.ts';
import type { ReportWarehouse } from '../../ports.ts';
import type { BaseQuery } from '../query.ts';
import { createBindings } from '../sql/bindings.ts';
import { FRESH_DAYS } from '../sql/converted.ts';
import { ofSite, within } from '../sql/rows.ts';
import type { SiteFacts } from './plan-scope.ts';

/** What is looked up: with `earliestAt`, where the site's records begin (milliseconds, UTC), if it has any. */
export type LookedUp = SiteFacts & { readonly earliestAt: number | undefined };

/**
 * What the site has, as a statement then need not look for the rest: most sites are paid in one
 * currency, and many know no persons. Of a query about all there is, also where that begins.
 */
export async function lookUp(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: Pick<BaseQuery, 'site' | 'period'>,
  { isAll }: { readonly isAll: boolean },
): Promise<LookedUp> {
  const { bind, params } = createBindings();
  const own = ofSite(query, bind);
  const visits = isAll ? own : within('visit_started_at', query, bind);
  const paid = isAll ? own : within('occurred_at', query, bind);
  const earliest = `, (SELECT toUnixTimestamp64Milli(min(at)) FROM (
        SELECT minOrNull(visit_started_at) AS at FROM visits WHERE ${own}
        UNION ALL SELECT minOrNull(occurred_at) AS at FROM events WHERE ${own}
        UNION ALL SELECT minOrNull(occurred_at) AS at FROM payments FINAL WHERE ${own}
      )) AS earliest_at`;
  const [row] = await warehouse.select<Row>({
    sql: `SELECT
      (SELECT groupUniqArray(2)(currency) FROM payments WHERE ${own}) AS currencies,
      (SELECT count() FROM (SELECT 1 FROM persons WHERE ${own} LIMIT 1)) AS persons,
      (${uncertainSql(paid, query.site.currency, bind)}) AS uncertain,
      (SELECT count() FROM visits WHERE ${visits}) AS visits${isAll ? earliest : ''}`,
    params,
  });
  const currencies = row?.currencies ?? [];
  return {
    payments: currencies.length > 0,
    foreignMoney: currencies.some((currency) => currency !== query.site.currency),
    uncertainMoney: Number(row?.uncertain) > 0,
    persons: Number(row?.persons) > 0,
    visits: Number(row?.visits),
    earliestAt: row?.earliest_at == null ? undefined : Number(row.earliest_at),
  };
}

/**
 * SQL of how many currencies have no rate, or an old one, on some day on which they may be needed. By a day
 * too many on either side, as the site's days are not the engine's.
 */
function uncertainSql(paid: string, siteCurrency: string, bind: Bind): string {
  const site = bind(siteCurrency, 'String');
  return `
      SELECT countIf(empty(starts_on) OR starts_on[1] > first_on OR ends_on[-1] <= last_on
        OR arrayExists((starts, ends) -> ends > first_on AND starts <= last_on
          AND least(ends, last_on + 1) > starts + ${FRESH_DAYS}, starts_on, ends_on))
      FROM (
        SELECT arrayJoin([currency, ${site}]) AS currency,
          toDate(min(paid_at)) - 1 AS first_on, toDate(max(paid_at)) + 1 AS last_on
        FROM payments WHERE ${paid} AND currency != ${site} GROUP BY currency
      ) AS used LEFT JOIN (
        SELECT toString(currency) AS currency, starts_on, ends_on FROM rates FINAL
        WHERE currency IN (SELECT currency FROM payments WHERE ${paid}) OR currency = ${site}
      ) AS rate USING (currency)`;
}

type Row = {
  readonly currencies: readonly string[];
  readonly persons: string;
  readonly uncertain: string;
  readonly visits: string;
  readonly earliest_at?: string | null;
};

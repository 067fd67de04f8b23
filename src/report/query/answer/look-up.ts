import { type Bind, zoneSql } from '../../dimension.ts';
import type { ReportWarehouse } from '../../ports.ts';
import type { SiteFacts } from '../plan/plan.ts';
import type { BaseQuery } from '../query.ts';
import { isLate, isUnconverted } from '../sql/converted.ts';
import { createBindings, ofSite, within } from '../sql/rows.ts';

/** The last day with exchange rates, if it is some days ago: `YYYY-MM-DD`. */
export type FindOldRates = () => string | undefined;

/**
 * Looks up what the site has, so that statements can skip the rest: many have no persons, and most are paid in one
 * currency. For a query over all time, also when its records begin.
 *
 * Why flat reads in one statement: planning nested ones takes the engine longer than running these.
 */
export async function lookUp(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: Pick<BaseQuery, 'site' | 'period'>,
  { isAll, findOldRates }: { readonly isAll: boolean; readonly findOldRates: FindOldRates },
): Promise<SiteFacts> {
  const { site } = query;
  const { bind, params } = createBindings();
  const own = ofSite(query, bind);
  const visits = isAll ? own : within('visit_started_at', query, bind);
  const beganAt = (first: string) =>
    isAll ? `toNullable(toUnixTimestamp64Milli(${first}))` : 'CAST(NULL AS Nullable(Int64))';
  const reads = [
    `SELECT 'payments' AS of, count() AS n, ${beganAt('minOrNull(occurred_at)')} AS began_at,
      countIf(${isUnconverted(site)}) AS unconverted, countIf(${isLate(site)}) AS late,
      countIf(currency != ${bind(site.currency, 'String')}) AS foreign
      FROM payments WHERE ${own}`,
    `SELECT 'costs', count(), ${beganAt(firstCostAt(site.timezone, bind))},
      countIf(${isUnconverted(site)}), 0, countIf(currency != ${bind(site.currency, 'String')})
      FROM costs WHERE ${own}`,
    `SELECT 'visits', count(), ${beganAt('minOrNull(visit_started_at)')}, 0, 0, 0 FROM visits WHERE ${visits}`,
    `SELECT 'persons', 1, NULL, 0, 0, 0 FROM persons WHERE ${own} LIMIT 1`,
  ];
  if (isAll) {
    const first = beganAt('minOrNull(occurred_at)');
    reads.push(`SELECT 'events', 0, ${first}, 0, 0, 0 FROM events WHERE ${own}`);
  }
  const rows = await warehouse.select<Row>({ sql: reads.join('\nUNION ALL '), params });
  const rowOf = (name: string) => rows.find(({ of }) => of === name);
  const [payments, costs] = [rowOf('payments'), rowOf('costs')];
  const began = rows.flatMap((row) => (row.began_at === null ? [] : [Number(row.began_at)]));
  return {
    payments: Number(payments?.n) > 0,
    costs: Number(costs?.n) > 0,
    money: {
      hasUnconverted: Number(payments?.unconverted) > 0,
      hasLate: Number(payments?.late) > 0,
      hasUnconvertedCosts: Number(costs?.unconverted) > 0,
      ratesUntil: [payments, costs].some((row) => Number(row?.foreign) > 0)
        ? findOldRates()
        : undefined,
    },
    persons: rowOf('persons') !== undefined,
    visits: Number(rowOf('visits')?.n),
    earliestAt: isAll && began.length > 0 ? Math.min(...began) : undefined,
  };
}

/** SQL for when the first day with a cost begins: an instant, or null. */
function firstCostAt(timeZone: string, bind: Bind): string {
  return `toDateTime64(toDateTime(minOrNull(day), ${zoneSql(timeZone, bind)}), 3)`;
}

type Row = Readonly<Record<'of' | 'n' | 'unconverted' | 'late' | 'foreign', string>> & {
  readonly began_at: string | null;
};

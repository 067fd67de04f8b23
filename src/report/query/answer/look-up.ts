import type { ReportWarehouse } from '../../ports.ts';
import type { SiteFacts } from '../plan/plan.ts';
import type { BaseQuery } from '../query.ts';
import { createBindings, ofSite, within } from '../sql/rows.ts';
import type { KnownRates } from './known-rates.ts';

/**
 * Looks up what the site has, so that statements can skip the rest: most sites are paid in one currency, and many
 * have no persons. For a query over all time, also when its records begin.
 *
 * Why flat reads in one statement: planning nested ones takes the engine longer than running these.
 */
export async function lookUp(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: Pick<BaseQuery, 'site' | 'period'>,
  { isAll, rates }: { readonly isAll: boolean; readonly rates: KnownRates },
): Promise<SiteFacts> {
  const { bind, params } = createBindings();
  const own = ofSite(query, bind);
  const visits = isAll ? own : within('visit_started_at', query, bind);
  const beganAt = (first: string) =>
    isAll ? `toNullable(toUnixTimestamp64Milli(${first}))` : 'CAST(NULL AS Nullable(Int64))';
  const reads = [
    `SELECT 'payments' AS of, toString(currency) AS currency, toUInt64(0) AS n, ${beganAt('min(occurred_at)')} AS began_at,
      toUInt16(toDate(min(paid_at))) AS paid_from, toUInt16(toDate(max(paid_at))) AS paid_to
      FROM payments WHERE ${own} GROUP BY currency`,
    `SELECT 'visits', '', count(), ${beganAt('minOrNull(visit_started_at)')}, 0, 0 FROM visits WHERE ${visits}`,
    `SELECT 'persons', '', 1, NULL, 0, 0 FROM persons WHERE ${own} LIMIT 1`,
    `SELECT 'rates', '', max(loaded_at), NULL, 0, 0 FROM rates`,
  ];
  if (isAll) {
    const first = beganAt('minOrNull(occurred_at)');
    reads.push(`SELECT 'events', '', 0, ${first}, 0, 0 FROM events WHERE ${own}`);
  }
  const rows = await warehouse.select<Row>({ sql: reads.join('\nUNION ALL '), params });
  const numberOf = (name: string) => rows.find(({ of }) => of === name)?.n;
  const began = rows.flatMap((row) => (row.began_at === null ? [] : [Number(row.began_at)]));
  const paidIn = rows
    .filter(({ of }) => of === 'payments')
    .map(({ currency, paid_from: from, paid_to: to }) => {
      return { currency, paidFrom: Number(from), paidTo: Number(to) };
    });
  return {
    payments: paidIn.length > 0,
    rates: await rates.find(warehouse, query.site.currency, {
      paidIn,
      version: numberOf('rates') ?? '',
    }),
    persons: numberOf('persons') !== undefined,
    visits: Number(numberOf('visits')),
    earliestAt: isAll && began.length > 0 ? Math.min(...began) : undefined,
  };
}

type Row = Readonly<Record<'of' | 'currency' | 'n' | 'paid_from' | 'paid_to', string>> & {
  readonly began_at: string | null;
};

import type { ReportWarehouse } from '../../ports.ts';
import type { BaseQuery } from '../query.ts';
import { createBindings, ofSite, within } from '../sql/rows.ts';
import type { SiteFacts } from './plan-fact.ts';

/**
 * What the site has, as a statement then need not look for the rest: most sites are paid in one
 * currency, and many know no persons. Of a query about all there is, also where that begins.
 *
 * Why plain reads beside each other: the engine takes longer to plan a nested one than to answer these.
 */
export async function lookUp(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: Pick<BaseQuery, 'site' | 'period'>,
  { isAll }: { readonly isAll: boolean },
): Promise<SiteFacts> {
  const { bind, params } = createBindings();
  const own = ofSite(query, bind);
  const visits = isAll ? own : within('visit_started_at', query, bind);
  const beganAt = (first: string) =>
    isAll ? `toNullable(toUnixTimestamp64Milli(${first}))` : 'CAST(NULL AS Nullable(Int64))';
  const reads = [
    `SELECT 'payments' AS of, toString(currency) AS currency, 0 AS n, ${beganAt('min(occurred_at)')} AS began_at,
      toUnixTimestamp(min(paid_at)) AS paid_from, toUnixTimestamp(max(paid_at)) AS paid_to
      FROM payments WHERE ${own} GROUP BY currency`,
    `SELECT 'visits', '', count(), ${beganAt('minOrNull(visit_started_at)')}, 0, 0 FROM visits WHERE ${visits}`,
    `SELECT 'persons', '', 1, NULL, 0, 0 FROM persons WHERE ${own} LIMIT 1`,
  ];
  if (isAll) {
    const first = beganAt('minOrNull(occurred_at)');
    reads.push(`SELECT 'events', '', 0, ${first}, 0, 0 FROM events WHERE ${own}`);
  }
  const rows = await warehouse.select<Row>({ sql: reads.join('\nUNION ALL '), params });
  const paidIn = rows.filter(({ of }) => of === 'payments');
  const began = rows.flatMap((row) => (row.began_at === null ? [] : [Number(row.began_at)]));
  return {
    payments: paidIn.length > 0,
    foreignMoney: paidIn
      .filter(({ currency }) => currency !== query.site.currency)
      .map(({ currency, paid_from: from, paid_to: to }) => {
        return { currency, paidFrom: Number(from), paidTo: Number(to) };
      }),
    persons: rows.some(({ of }) => of === 'persons'),
    visits: Number(rows.find(({ of }) => of === 'visits')?.n),
    earliestAt: isAll && began.length > 0 ? Math.min(...began) : undefined,
  };
}

type Row = Readonly<Record<'of' | 'currency' | 'n' | 'paid_from' | 'paid_to', string>> & {
  readonly began_at: string | null;
};

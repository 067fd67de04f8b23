import { assert } from '#domain/assert.ts';
import type { Bind } from '../../dimension.ts';
import type { ReportSite, ReportWarehouse } from '../../ports.ts';
import type { MoneyRates } from '../money-rates.ts';
import type { BaseQuery } from '../query.ts';
import { createBindings, ofSite, within } from '../sql/rows.ts';
import type { SiteFacts } from './plan-fact.ts';

/**
 * What the site has, so that a statement need not look for the rest: most sites are paid in one
 * currency, and many have no persons. For a query about all time, also when the site's records begin.
 *
 * Why one row of scalars: each statement costs a round trip, and the engine plans each scalar once, however
 * often it stands.
 */
export async function lookUp(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: Pick<BaseQuery, 'site' | 'period'>,
  { isAll }: { readonly isAll: boolean },
): Promise<SiteFacts> {
  const { bind, params } = createBindings();
  const own = ofSite(query, bind);
  const visits = isAll ? own : within('visit_started_at', query, bind);
  const firstOf = (instant: string, table: string) =>
    `(SELECT minOrNull(toUnixTimestamp64Milli(${instant})) FROM ${table} WHERE ${own})`;
  const firsts = [
    firstOf('occurred_at', 'payments'),
    firstOf('visit_started_at', 'visits'),
    firstOf('occurred_at', 'events'),
  ];
  const [row] = await warehouse.select<Row>({
    sql: `
      WITH (
        SELECT groupArray((toString(currency), paid_from, paid_to)) FROM (
          SELECT currency, toUInt16(toDate(min(paid_at))) AS paid_from, toUInt16(toDate(max(paid_at))) AS paid_to
          FROM payments WHERE ${own} GROUP BY currency)
        ) AS paid
      SELECT paid,
        (SELECT count() FROM visits WHERE ${visits}) AS visits,
        (SELECT count() FROM (SELECT 1 FROM persons WHERE ${own} LIMIT 1)) AS persons,
        (${ratesSql(query.site, bind)}) AS rates,
        ${isAll ? `[${firsts.join(', ')}]` : '[]'} AS firsts`,
    params,
  });
  assert(row !== undefined, 'scalars make a row');
  const firstAts = row.firsts.flatMap((at) => (at === null ? [] : [Number(at)]));
  return {
    payments: row.paid.length > 0,
    rates: toRates(row, query.site),
    persons: row.persons !== '0',
    visits: Number(row.visits),
    earliestAt: firstAts.length > 0 ? Math.min(...firstAts) : undefined,
  };
}

type Row = Readonly<Record<'visits' | 'persons', string>> & {
  readonly paid: readonly (readonly [currency: string, from: number, to: number])[];
  readonly rates: readonly (readonly [
    currency: string,
    spans: readonly (readonly [startsOn: number, endsOn: number, perEuro: string])[],
  ])[];
  readonly firsts: readonly (string | null)[];
};

/**
 * SQL of the spans of days, with their rates, of the currencies that the site was `paid` in, from the first
 * payment to the last; none where all money is in the site's own. A day in the site's zone may be the next.
 */
function ratesSql({ currency }: ReportSite, bind: Bind): string {
  const own = bind(currency, 'String');
  return `
          SELECT groupArray((currency, arrayMap(
            span -> (toUInt16(span.1), toUInt16(span.2), span.3 * toInt64(exp10(exponent))),
            arrayFilter(
              span -> toUInt16(span.2) + 1 >= arrayMin(paid.2) AND toUInt16(span.1) <= arrayMax(paid.3) + 1,
              arrayZip(starts_on, ends_on, per_euro)))))
          FROM rates FINAL
          WHERE (currency = ${own} OR has(paid.1, currency)) AND arrayExists(code -> code != ${own}, paid.1)`;
}

function toRates({ paid, rates }: Row, { currency: own }: ReportSite): MoneyRates {
  const spansByCurrency = new Map(
    rates.map(([currency, spans]) => [
      currency,
      spans.map(([startsOn, endsOn, perEuro]) => ({ startsOn, endsOn, perEuro: Number(perEuro) })),
    ]),
  );
  const ratesOf = (currency: string) => {
    return { currency, spans: spansByCurrency.get(currency) ?? [] };
  };
  const foreign = paid
    .filter(([currency]) => currency !== own)
    .map(([currency, paidFrom, paidTo]) => ({ ...ratesOf(currency), paidFrom, paidTo }));
  return { foreign, own: ratesOf(own) };
}

import type { QueryAnswer } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { learnEffectsOf } from '../attribution/learn-effects.ts';
import type { ReportSite, ReportWarehouse } from '../ports.ts';
import { type ForeignMoney, planFact, type SiteFacts } from './plan/plan-fact.ts';
import type { BaseQuery, Query } from './query.ts';
import { toMoney } from './shape/to-answer-row.ts';
import { FRESH_DAYS } from './sql/converted.ts';
import { paymentsSql } from './sql/facts/payments.ts';
import { createBindings } from './sql/rows.ts';

/** What an answer says of money in other currencies than the site's. */
export type MoneyNotes = Pick<QueryAnswer['meta'], 'unconverted' | 'late_rates'>;

/**
 * What to know about the money of a query that was paid in other currencies: what its sums leave
 * out, as there was no rate, and what was converted at an old one. Nothing when nothing is odd.
 *
 * - Why it is reported and not added: one to one would be a lie.
 */
export async function findMoneyNotes(
  warehouse: ReportWarehouse,
  { attribution = UNCREDITED, ...query }: BaseQuery & Partial<Pick<Query, 'attribution'>>,
  facts: SiteFacts,
): Promise<MoneyNotes> {
  const foreign = facts.foreignMoney.filter(({ payments }) => payments > 0);
  if (foreign.length === 0 || (await hasEveryRate(warehouse, query.site, foreign))) return {};
  const plan = planFact('payments', { ...query, attribution, dimensions: [] }, facts);
  const { bind, params } = createBindings();
  const fact = paymentsSql(await learnEffectsOf(warehouse, plan), bind);
  const rows = await warehouse.select<Row>({
    sql: `
      SELECT currency,
        uniqExactIf(transaction_id, kind = 'payment' AND is_converted = 0) AS payments,
        toString(sumIf(other_minor, kind = 'payment')) AS gross,
        toString(sumIf(other_minor, kind = 'refund')) AS refunds,
        uniqExactIf((kind, transaction_id), is_late) AS late
      FROM ${fact.from}
      WHERE ${fact.where} AND currency != ${bind(plan.site.currency, 'String')}
      GROUP BY currency
      ORDER BY currency`,
    params,
  });
  const unconverted = rows.filter(({ gross, refunds }) => gross !== '0' || refunds !== '0');
  const late = rows.filter((row) => row.late !== '0');
  return {
    ...(unconverted.length > 0 && {
      unconverted: unconverted.map(({ currency, payments, gross, refunds }) => ({
        currency,
        gross_revenue: toMoney(BigInt(gross), currency),
        refunds: toMoney(BigInt(refunds), currency),
        payments: Number(payments),
      })),
    }),
    ...(late.length > 0 && {
      late_rates: late.map((row) => ({ currency: row.currency, payments: Number(row.late) })),
    }),
  };
}

const UNCREDITED = { model: ATTRIBUTION_MODELS[0], lookbackDays: null } as const;

/**
 * Whether each of the currencies, and the site's, has a fresh rate on every day from the first payment to
 * the last: by a day more on either side, as the site's days are not the engine's.
 */
async function hasEveryRate(
  warehouse: ReportWarehouse,
  site: ReportSite,
  foreign: readonly ForeignMoney[],
): Promise<boolean> {
  const { bind, params } = createBindings();
  const currencies = [site.currency, ...foreign.map(({ currency }) => currency)];
  const day = (seconds: number, days: number) =>
    `toDate(${bind(Math.floor(seconds / 86_400) + days, 'Int32')})`;
  const firstOn = day(Math.min(...foreign.map(({ paidFrom }) => paidFrom)), -1);
  const lastOn = day(Math.max(...foreign.map(({ paidTo }) => paidTo)), 1);
  const [row] = await warehouse.select<{ n: string }>({
    sql: `SELECT count() AS n FROM rates FINAL
      WHERE currency IN ${bind(currencies, 'Array(String)')}
        AND starts_on[1] <= ${firstOn} AND ends_on[-1] > ${lastOn}
        AND NOT arrayExists((starts, ends) -> ends > ${firstOn} AND starts <= ${lastOn}
          AND least(ends, ${lastOn} + 1) > starts + ${FRESH_DAYS}, starts_on, ends_on)`,
    params,
  });
  return Number(row?.n) === currencies.length;
}

type Row = Readonly<Record<'currency' | 'payments' | 'gross' | 'refunds' | 'late', string>>;

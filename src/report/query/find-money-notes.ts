import type { QueryAnswer } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import type { RateSpan } from '#domain/money/exchange-rates.ts';
import { learnEffectsOf } from '../attribution/learn-effects.ts';
import type { Bind } from '../dimension.ts';
import type { ReportSite, ReportWarehouse } from '../ports.ts';
import type { MoneyRates } from './money-rates.ts';
import { planFact, type SiteFacts } from './plan/plan-fact.ts';
import type { BaseQuery, Query } from './query.ts';
import { toMoney } from './shape/to-answer-row.ts';
import { FRESH_DAYS } from './sql/converted.ts';
import { paymentsSql } from './sql/facts/payments.ts';
import { all, createBindings, within, zoneSql } from './sql/rows.ts';

/** What an answer says of money in other currencies than the site's. */
export type MoneyNotes = Pick<QueryAnswer['meta'], 'unconverted' | 'late_rates'>;

/**
 * What to know about the money of a query that was paid in other currencies: what its sums leave
 * out, as there was no rate, and how many payments of its period were converted at an old one. Nothing
 * when all rates are there and fresh.
 *
 * - Why money without a rate is reported and not added: one to one would be a lie.
 * - Why old rates are counted whatever the filter: that they are old says nothing about who paid, and to
 *   credit the payments once more takes as long as the query.
 */
export async function findMoneyNotes(
  warehouse: ReportWarehouse,
  query: BaseQuery & Partial<Pick<Query, 'attribution'>>,
  facts: SiteFacts,
): Promise<MoneyNotes> {
  const odd = findOddDays(facts.rates);
  const without = odd.filter(({ hasRate }) => !hasRate);
  const old = odd.filter(({ hasRate }) => hasRate);
  const [unconverted, late] = await Promise.all([
    without.length > 0 ? findUnconverted(warehouse, query, { facts, days: without }) : [],
    old.length > 0 ? countLate(warehouse, query, { days: old, without }) : [],
  ]);
  return {
    ...(unconverted.length > 0 && { unconverted }),
    ...(late.length > 0 && { late_rates: late }),
  };
}

/** The query's money of days without a rate, as it was paid. */
async function findUnconverted(
  warehouse: ReportWarehouse,
  { attribution = UNCREDITED, ...query }: Parameters<typeof findMoneyNotes>[1],
  { facts, days }: { readonly facts: SiteFacts; readonly days: readonly OddDays[] },
): Promise<NonNullable<MoneyNotes['unconverted']>> {
  const asPaid = { ...facts, rates: { ...facts.rates, foreign: [] } };
  const plan = planFact('payments', { ...query, attribution, dimensions: [] }, asPaid);
  const { bind, params } = createBindings();
  // Chosen before they are credited, which costs far more than to find them.
  const which = isOnSql(days, query.site, bind);
  const fact = paymentsSql(await learnEffectsOf(warehouse, plan), bind, which);
  const rows = await warehouse.select<Record<'currency' | 'payments' | 'gross' | 'back', string>>({
    sql: `
      SELECT currency, uniqExactIf(transaction_id, kind = 'payment') AS payments,
        toString(sumIf(amount_minor, kind = 'payment')) AS gross,
        toString(sumIf(amount_minor, kind = 'refund')) AS back
      FROM ${fact.from} WHERE ${fact.where}
      GROUP BY currency ORDER BY currency`,
    params,
  });
  return rows
    .filter(({ gross, back }) => gross !== '0' || back !== '0')
    .map(({ currency, payments, gross, back }) => ({
      currency,
      gross_revenue: toMoney(BigInt(gross), currency),
      refunds: toMoney(BigInt(back), currency),
      payments: Number(payments),
    }));
}

/** How many payments and refunds of the period were converted at old rates, by currency. */
async function countLate(
  warehouse: ReportWarehouse,
  query: BaseQuery,
  { days, without }: { readonly days: readonly OddDays[]; readonly without: readonly OddDays[] },
): Promise<NonNullable<MoneyNotes['late_rates']>> {
  const { bind, params } = createBindings();
  const isLate = all(
    within('occurred_at', query, bind),
    isOnSql(days, query.site, bind),
    without.length > 0 ? `NOT ${isOnSql(without, query.site, bind)}` : undefined,
  );
  const rows = await warehouse.select<Record<'currency' | 'payments', string>>({
    sql: `SELECT currency, count() AS payments FROM payments FINAL
      WHERE ${isLate} GROUP BY currency ORDER BY currency`,
    params,
  });
  return rows.map(({ currency, payments }) => ({ currency, payments: Number(payments) }));
}

/** SQL that holds for rows of `payments` that were paid on such a day, in its currency. */
function isOnSql(days: readonly OddDays[], { timezone }: ReportSite, bind: Bind): string {
  const currencies = bind(
    days.map(({ currency }) => currency),
    'Array(String)',
  );
  const starts = bind(
    days.map(({ startsOn }) => startsOn),
    'Array(Int32)',
  );
  const ends = bind(
    days.map(({ endsOn }) => endsOn),
    'Array(Int32)',
  );
  return `(currency IN ${currencies} AND arrayExists(
        (own, starts_on, ends_on) -> own = currency AND starts_on <= toInt32(toDate(paid_at, ${zoneSql(timezone, bind)}))
          AND toInt32(toDate(paid_at, ${zoneSql(timezone, bind)})) < ends_on,
        ${currencies}, ${starts}, ${ends}))`;
}

const UNCREDITED = { model: ATTRIBUTION_MODELS[0], lookbackDays: null } as const;

/** Days on which money of a currency has no rate, or the last one known, older than a week: days since 1970. */
type OddDays = {
  readonly currency: string;
  readonly startsOn: number;
  readonly endsOn: number;
  readonly hasRate: boolean;
};

/** The days without a fresh rate of the other currencies, or of the site's, from the first payment in each to the last. */
function findOddDays({ foreign, own }: MoneyRates): OddDays[] {
  return foreign.flatMap(({ currency, spans, paidFrom, paidTo }) => {
    const missing = [spans, own.spans].flatMap(daysBetween);
    const late = [...spans, ...own.spans].map(({ startsOn, endsOn }) => {
      return { startsOn: startsOn + FRESH_DAYS, endsOn };
    });
    // By a day more on either side, as the site's days are not the engine's.
    const isOdd = ({ startsOn, endsOn }: Days) =>
      startsOn < endsOn && endsOn >= paidFrom - 1 && startsOn <= paidTo + 1;
    return [
      ...missing.filter(isOdd).map((days) => ({ ...days, currency, hasRate: false })),
      ...late.filter(isOdd).map((days) => ({ ...days, currency, hasRate: true })),
    ];
  });
}

type Days = Pick<RateSpan, 'startsOn' | 'endsOn'>;

/** Before, between and behind the spans. */
function daysBetween(spans: readonly RateSpan[]): Days[] {
  const starts = [...spans.map(({ startsOn }) => startsOn), END_OF_DAYS];
  return starts.map((endsOn, index) => ({ startsOn: spans[index - 1]?.endsOn ?? 0, endsOn }));
}

/** Behind the last day that the engine knows. */
const END_OF_DAYS = 65_536;

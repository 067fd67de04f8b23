import type { QueryAnswer } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import type { RateSpan } from '#domain/money/exchange-rates.ts';
import { learnEffectsOf } from '../attribution/learn-effects.ts';
import type { ReportWarehouse } from '../ports.ts';
import type { MoneyRates } from './money-rates.ts';
import { planFact, type SiteFacts } from './plan/plan-fact.ts';
import type { BaseQuery, Query } from './query.ts';
import { toMoney } from './shape/to-answer-row.ts';
import { FRESH_DAYS } from './sql/converted.ts';
import { paymentsSql } from './sql/facts/payments.ts';
import { createBindings, zoneSql } from './sql/rows.ts';

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
  const odd = findOddDays(facts.rates);
  if (odd.length === 0) return {};
  // As it was paid: what the days say of the rates is known here.
  const own = { ...facts, rates: { ...facts.rates, foreign: [] } };
  const plan = planFact('payments', { ...query, attribution, dimensions: [] }, own);
  const { bind, params } = createBindings();
  const noted = bind([...new Set(odd.map(({ currency }) => currency))], 'Array(String)');
  // Before they are credited, which costs far more than to find them.
  const fact = paymentsSql(await learnEffectsOf(warehouse, plan), bind, `currency IN ${noted}`);
  const paidOn = `toInt32(toDate(paid_at, ${zoneSql(plan.site.timezone, bind)}))`;
  const isOn = (days: readonly OddDays[]) => `arrayExists(
        (own, starts_on, ends_on) -> own = currency AND starts_on <= paid_on AND paid_on < ends_on,
        ${bind(
          days.map(({ currency }) => currency),
          'Array(String)',
        )},
        ${bind(
          days.map(({ startsOn }) => startsOn),
          'Array(Int32)',
        )},
        ${bind(
          days.map(({ endsOn }) => endsOn),
          'Array(Int32)',
        )})`;
  const rows = await warehouse.select<Row>({
    sql: `
      SELECT currency,
        uniqExactIf(transaction_id, kind = 'payment' AND is_without) AS payments,
        toString(sumIf(amount_minor, kind = 'payment' AND is_without)) AS gross,
        toString(sumIf(amount_minor, kind = 'refund' AND is_without)) AS refunds,
        uniqExactIf((kind, transaction_id), is_late AND NOT is_without) AS late
      FROM (
        SELECT *, ${paidOn} AS paid_on,
          ${isOn(odd.filter(({ hasRate }) => !hasRate))} AS is_without,
          ${isOn(odd.filter(({ hasRate }) => hasRate))} AS is_late
        FROM ${fact.from}
        WHERE ${fact.where}
      )
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

type Row = Readonly<Record<'currency' | 'payments' | 'gross' | 'refunds' | 'late', string>>;

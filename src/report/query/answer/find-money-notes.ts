import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import type { RateSpan } from '#domain/money/exchange-rates.ts';
import { type Bind, zoneSql } from '../../dimension.ts';
import type { ReportSite, ReportWarehouse } from '../../ports.ts';
import { EVERYTHING } from '../filter.ts';
import type { Scope, SiteFacts } from '../plan/plan.ts';
import { planFact } from '../plan/plan-fact.ts';
import type { BaseQuery, MoneyRates, Query } from '../query.ts';
import type { MoneyNotes } from '../shape/to-answer.ts';
import { toMoney } from '../shape/to-answer-row.ts';
import { FRESH_DAYS } from '../sql/converted.ts';
import { paymentsSql } from '../sql/facts/payments.ts';
import { isPerson, joinPayers, payerNumber } from '../sql/persons.ts';
import { all, createBindings, within } from '../sql/rows.ts';
import { learnEffectsOf } from './learn-effects.ts';

/** A query about everyone's money, or that of one person. */
type NotedQuery = BaseQuery &
  Partial<Pick<Query, 'attribution'> & Pick<Scope, 'person'>> & {
    /** SQL condition over a row of `payments`, besides the filter. */
    readonly which?: (bind: Bind) => string;
  };

/**
 * Notes about a query's money in other currencies: the amounts missing from its sums for lack of a rate, and how many
 * payments in its period were converted at an old rate. Empty if all rates exist and are fresh.
 *
 * - Why money without a rate is reported and not added: adding it one to one would be wrong.
 * - Why old rates are counted without the filter: their age does not depend on who paid, and crediting the payments
 *   again takes as long as the query.
 */
export async function findMoneyNotes(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: NotedQuery,
  facts: SiteFacts,
): Promise<MoneyNotes> {
  const { without, old } = findOddDays(facts.rates);
  const [unconverted, late] = await Promise.all([
    without.length > 0 ? findUnconverted(warehouse, query, { facts, days: without }) : [],
    old.length > 0 ? countLate(warehouse, query, { facts, days: old, without }) : [],
  ]);
  return {
    ...(unconverted.length > 0 && { unconverted }),
    ...(late.length > 0 && { late_rates: late }),
  };
}

/** The query's money on days without a rate, in its own currency. */
async function findUnconverted(
  warehouse: Pick<ReportWarehouse, 'select'>,
  { attribution = UNCREDITED, person, which, ...query }: NotedQuery,
  { facts, days }: { readonly facts: SiteFacts; readonly days: readonly OddDays[] },
): Promise<NonNullable<MoneyNotes['unconverted']>> {
  const asPaid = { ...facts, rates: { ...facts.rates, foreign: [] } };
  const asked = { ...query, attribution, dimensions: [] };
  const plan = { ...planFact('payments', asked, asPaid, { needs: needsOf(person) }), person };
  const { bind, params } = createBindings();
  // Selected before crediting, which costs far more than finding them.
  const meant = all(isOnSql(days, query.site, bind), which?.(bind));
  const fact = paymentsSql(await learnEffectsOf(warehouse, plan), bind, meant);
  const rows = await warehouse.select<Record<'currency' | 'payments' | 'gross' | 'back', string>>({
    sql: `
      SELECT currency, uniqExactIf(transaction_id, kind = 'payment') AS payments,
        toString(sumIf(amount_minor, kind != 'refund')) AS gross,
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
  warehouse: Pick<ReportWarehouse, 'select'>,
  { person, ...query }: NotedQuery,
  { facts, days, without }: Record<'days' | 'without', OddDays[]> & { readonly facts: SiteFacts },
): Promise<NonNullable<MoneyNotes['late_rates']>> {
  const asked = { ...query, filter: EVERYTHING, dimensions: [], attribution: UNCREDITED };
  const scope = { ...planFact('payments', asked, facts, { needs: needsOf(person) }), person };
  const { bind, params } = createBindings();
  const isLate = all(
    within('occurred_at', query, bind),
    isPerson(payerNumber(scope), scope, bind),
    isOnSql(days, query.site, bind),
    without.length > 0 ? `NOT ${isOnSql(without, query.site, bind)}` : undefined,
  );
  const rows = await warehouse.select<Record<'currency' | 'payments', string>>({
    sql: `SELECT currency, count() AS payments FROM payments FINAL ${joinPayers(scope, bind)}
      WHERE ${isLate} GROUP BY currency ORDER BY currency`,
    params,
  });
  return rows.map(({ currency, payments }) => ({ currency, payments: Number(payments) }));
}

/** SQL condition for rows of `payments` paid in a currency on one of its days. */
function isOnSql(days: readonly OddDays[], { timezone }: ReportSite, bind: Bind): string {
  const paidOn = `toInt32(toDate(paid_at, ${zoneSql(timezone, bind)}))`;
  const tests = days.map(
    ({ currency, startsOn, endsOn }) =>
      `currency = ${bind(currency, 'String')} AND ${paidOn} >= ${startsOn} AND ${paidOn} < ${endsOn}`,
  );
  return `(${tests.join(' OR ')})`;
}

const needsOf = (person: string | undefined) => (person === undefined ? [] : (['person'] as const));
const UNCREDITED = { model: ATTRIBUTION_MODELS[0], lookbackDays: null } as const;

/** Days on which a currency, or the site's, has no rate or an old one: days since 1970. */
type OddDays = Pick<RateSpan, 'startsOn' | 'endsOn'> & { readonly currency: string };

/** The days without a rate, and those with one over a week old, from a currency's first payment to its last. */
function findOddDays({ foreign, own }: MoneyRates): { without: OddDays[]; old: OddDays[] } {
  const findIn = (toDays: (spans: readonly RateSpan[]) => Omit<OddDays, 'currency'>[]) =>
    foreign.flatMap(({ currency, spans, paidFrom, paidTo }) =>
      [spans, own.spans]
        .flatMap(toDays)
        // One day more on either side, because the site's days are not the engine's.
        .filter((each) => each.endsOn >= paidFrom - 1 && each.startsOn <= paidTo + 1)
        .filter((each) => each.startsOn < each.endsOn)
        .map((each) => ({ ...each, currency })),
    );
  return {
    without: findIn((spans) =>
      [...spans.map(({ startsOn }) => startsOn), END_OF_DAYS].map((endsOn, index) => {
        return { startsOn: spans[index - 1]?.endsOn ?? 0, endsOn };
      }),
    ),
    old: findIn((spans) =>
      spans.map(({ startsOn, endsOn }) => ({ startsOn: startsOn + FRESH_DAYS, endsOn })),
    ),
  };
}

/** After the engine's last day. */
const END_OF_DAYS = 65_536;

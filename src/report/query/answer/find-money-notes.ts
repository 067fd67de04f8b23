import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import type { Bind } from '../../dimension.ts';
import type { Fact } from '../../metric.ts';
import type { ReportWarehouse } from '../../ports.ts';
import { EVERYTHING } from '../filter.ts';
import type { Scope, SiteFacts } from '../plan/plan.ts';
import { planFact } from '../plan/plan-fact.ts';
import type { BaseQuery, Query } from '../query.ts';
import type { MoneyNotes } from '../shape/to-answer.ts';
import { toMoney } from '../shape/to-answer-row.ts';
import { isLate, isUnconverted } from '../sql/converted.ts';
import { costsSql } from '../sql/facts/costs.ts';
import { paymentsSql } from '../sql/facts/payments.ts';
import { isPerson, joinPayers, payerNumber } from '../sql/persons.ts';
import { all, createBindings, within } from '../sql/rows.ts';
import { learnEffectsOf } from './learn-effects.ts';

/** A query about everyone's money, or that of one person. */
type NotedQuery = BaseQuery &
  Partial<Pick<Query, 'attribution'> & Pick<Scope, 'person'>> & {
    /** SQL condition over a row of `payments`, besides the filter. */
    readonly which?: (bind: Bind) => string;
    /** The facts whose money the query sums up. */
    readonly about?: ReadonlySet<Fact>;
  };

const PAYMENTS: ReadonlySet<Fact> = new Set(['payments']);

/**
 * Notes about a query's money in other currencies: the amounts missing from its sums for lack of a rate, how many
 * payments in its period were converted at an old rate, and how many are being converted again. Empty if all rates exist
 * and are fresh.
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
  const { hasUnconverted, hasLate, hasUnconvertedCosts, ratesUntil } = facts.money;
  const { about = PAYMENTS } = query;
  const { converting } = query.site;
  const isOfPayments = about.has('payments');
  const [unconverted, costs, late] = await Promise.all([
    isOfPayments && hasUnconverted ? findUnconverted(warehouse, query, facts) : [],
    about.has('costs') && hasUnconvertedCosts ? findCosts(warehouse, query, facts) : [],
    isOfPayments && hasLate ? countLate(warehouse, query, facts) : [],
  ]);
  return {
    ...(unconverted.length > 0 && { unconverted }),
    ...(costs.length > 0 && { unconverted_costs: costs }),
    ...(converting !== undefined && { converting }),
    ...(late.length > 0 && { late_rates: late }),
    ...(ratesUntil !== undefined && { rates_until: ratesUntil }),
  };
}

/** The query's costs without a rate, in their own currency. */
async function findCosts(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: NotedQuery,
  facts: SiteFacts,
): Promise<NonNullable<MoneyNotes['unconverted_costs']>> {
  const asked = { ...query, attribution: UNCREDITED, dimensions: [] };
  const plan = { ...planFact('costs', asked, facts), isAsPaid: true };
  const { bind, params } = createBindings();
  const fact = costsSql(plan, bind, isUnconverted(query.site));
  const sql = `
    SELECT currency, toString(sum(shown_minor)) AS cost FROM ${fact.from} WHERE ${fact.where}
    GROUP BY currency HAVING cost != '0' ORDER BY currency`;
  const rows = await warehouse.select<Record<'currency' | 'cost', string>>({ sql, params });
  return rows.map(({ currency, cost }) => ({ currency, cost: toMoney(BigInt(cost), currency) }));
}

/** The query's money without a rate, in its own currency. */
async function findUnconverted(
  warehouse: Pick<ReportWarehouse, 'select'>,
  { attribution = UNCREDITED, person, which, ...query }: NotedQuery,
  facts: SiteFacts,
): Promise<NonNullable<MoneyNotes['unconverted']>> {
  const asked = { ...query, attribution, dimensions: [] };
  const needs = { needs: needsOf(person) };
  const plan = { ...planFact('payments', asked, facts, needs), person, isAsPaid: true };
  const { bind, params } = createBindings();
  // Selected before crediting, which costs far more than finding them.
  const meant = all(isUnconverted(query.site), which?.(bind));
  const fact = paymentsSql(await learnEffectsOf(warehouse, plan), bind, meant);
  const sql = `
    SELECT currency, uniqExactIf(transaction_id, kind = 'payment') AS payments,
      toString(sumIf(shown_minor, kind != 'refund')) AS gross,
      toString(sumIf(shown_minor, kind = 'refund')) AS back
    FROM ${fact.from} WHERE ${fact.where}
    GROUP BY currency ORDER BY currency`;
  type Row = Readonly<Record<'currency' | 'payments' | 'gross' | 'back', string>>;
  const rows = await warehouse.select<Row>({ sql, params });
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
  facts: SiteFacts,
): Promise<NonNullable<MoneyNotes['late_rates']>> {
  const asked = { ...query, filter: EVERYTHING, dimensions: [], attribution: UNCREDITED };
  const scope = { ...planFact('payments', asked, facts, { needs: needsOf(person) }), person };
  const { bind, params } = createBindings();
  const isMeant = all(
    within('occurred_at', query, bind),
    isPerson(payerNumber(scope), scope, bind),
    isLate(query.site),
  );
  const sql = `
    SELECT currency, count() AS payments FROM payments FINAL ${joinPayers(scope, bind)}
    WHERE ${isMeant} GROUP BY currency ORDER BY currency`;
  const rows = await warehouse.select<Record<'currency' | 'payments', string>>({ sql, params });
  return rows.map(({ currency, payments }) => ({ currency, payments: Number(payments) }));
}

const needsOf = (person: string | undefined) => (person === undefined ? [] : (['person'] as const));
const UNCREDITED = { model: ATTRIBUTION_MODELS[0], lookbackDays: null } as const;

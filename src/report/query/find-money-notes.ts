import type { QueryAnswer } from '#contract/query.ts';
import { learnEffectsOf } from '../attribution/learn-effects.ts';
import type { ReportWarehouse } from '../ports.ts';
import type { FactPlan } from './plan/plan.ts';
import { toMoney } from './shape/to-answer-row.ts';
import { createBindings } from './sql/bindings.ts';
import { paymentsSql } from './sql/facts/payments.ts';

/** What an answer tells of money in other currencies than the site's. */
export type MoneyNotes = Pick<QueryAnswer['meta'], 'unconverted' | 'late_rates'>;

/**
 * What to know about the money of a query that was paid in other currencies: what its sums leave
 * out, as there was no rate, and what was converted at an old one. Nothing when nothing is odd.
 *
 * - Why it is told and not added: one to one would be a lie.
 */
export async function findMoneyNotes(
  warehouse: ReportWarehouse,
  plan: FactPlan | undefined,
): Promise<MoneyNotes> {
  if (plan === undefined) return {};
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
    ...(unconverted.length > 0 && { unconverted: unconverted.map(toUnconverted) }),
    ...(late.length > 0 && {
      late_rates: late.map((row) => ({ currency: row.currency, payments: Number(row.late) })),
    }),
  };
}

function toUnconverted({ currency, payments, gross, refunds }: Row) {
  return {
    currency,
    gross_revenue: toMoney(BigInt(gross), currency),
    refunds: toMoney(BigInt(refunds), currency),
    payments: Number(payments),
  };
}

type Row = {
  readonly currency: string;
  readonly payments: string;
  readonly gross: string;
  readonly refunds: string;
  readonly late: string;
};

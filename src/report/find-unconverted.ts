import type { QueryAnswer } from '#contract/query.ts';
import { paymentsSql } from './facts/payments.ts';
import type { ReportWarehouse } from './ports.ts';
import type { Question } from './question.ts';
import { createBindings } from './sql/bindings.ts';
import { toMoney } from './to-answer-row.ts';

/**
 * Money in currencies other than the site's, by currency: what the sums of a question leave out.
 * Empty when the question asks for no money.
 *
 * Why it is told and not added: until there are rates, one to one would be a lie.
 */
export async function findUnconverted(
  warehouse: ReportWarehouse,
  question: Question,
): Promise<NonNullable<QueryAnswer['meta']['unconverted']>> {
  if (question.metrics.every((metric) => metric.unit !== 'money')) return [];
  const { bind, params } = createBindings();
  const fact = paymentsSql({ ...question, dimensions: [] }, bind);
  const rows = await warehouse.select<Row>({
    sql: `
      SELECT currency, countIf(kind = 'payment') AS payments,
        toString(sumIf(other_minor, kind = 'payment')) AS gross,
        toString(sumIf(other_minor, kind = 'refund')) AS refunds
      FROM ${fact.from}
      WHERE ${fact.where} AND currency != ${bind(question.site.currency, 'String')}
      GROUP BY currency
      HAVING gross != '0' OR refunds != '0'
      ORDER BY currency`,
    params,
  });
  return rows.map(({ currency, payments, gross, refunds }) => ({
    currency,
    gross_revenue: toMoney(BigInt(gross), currency),
    refunds: toMoney(BigInt(refunds), currency),
    payments: Number(payments),
  }));
}

type Row = {
  readonly currency: string;
  readonly payments: string;
  readonly gross: string;
  readonly refunds: string;
};

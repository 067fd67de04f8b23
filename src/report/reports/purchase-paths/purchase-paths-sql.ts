import type { PurchasePaths } from '#contract/reports/purchase-paths.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { type CreditedQuery, planFact } from '../../query/plan/plan-fact.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { convertedSql } from '../../query/sql/converted.ts';
import { paymentsSql } from '../../query/sql/facts/payments.ts';
import { columns, instant, ofSite } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import type { Planned } from '../report-kind.ts';

/** The way to purchases, parsed. */
export type PurchasePathsQuery = {
  readonly asked: PurchasePaths &
    Required<Pick<PurchasePaths, 'dimensions' | 'time_bounds' | 'visit_bounds' | 'limit'>> & {
      readonly attribution: { readonly model: string; readonly lookback_days: number | null };
    };
  readonly query: CreditedQuery;
};

/** A row of the answer: `d0, …` besides, for the dimensions. */
export type PurchasePathsRow = Readonly<Record<string, string>> & {
  readonly customers: string;
  readonly minor: string;
  readonly unknown: string;
  readonly unknown_minor: string;
  /** Median and 90 % of milliseconds and of visits. */
  readonly time_spread: readonly (number | null)[];
  readonly visit_spread: readonly (number | null)[];
  /** Of each class: customers, and what they paid. Empty where no visit of anybody is known. */
  readonly time_customers: readonly string[];
  readonly time_minor: readonly string[];
  readonly visit_customers: readonly string[];
  readonly visit_minor: readonly string[];
  readonly total_rows: string;
};

/** The statement that answers the way to the first payments of the period, by rows of {@link PurchasePathsRow}. */
export function toPurchasePathsStatement({
  query,
  facts,
  asked,
}: Planned<PurchasePathsQuery>): Statement {
  const { bind, params } = createBindings();
  const timeBoundsMs = asked.time_bounds.map((seconds) => seconds * 1_000);
  const plan = planFact('payments', query, facts, { needs: ['first_payment', 'path'] });
  const fact = paymentsSql(plan, bind);
  const keys = columns('d', query.dimensions);
  const values = query.dimensions.map((each, index) => `${fact.toValue(each)} AS d${index}`);
  const sql = `
    SELECT ${[
      ...keys,
      'toString(count()) AS customers',
      'toString(sum(net_minor)) AS minor',
      'toString(countIf(path_visits = 0)) AS unknown',
      'toString(sumIf(net_minor, path_visits = 0)) AS unknown_minor',
      'quantilesExactInclusiveIf(0.5, 0.9)(path_ms, path_visits > 0) AS time_spread',
      'quantilesExactInclusiveIf(0.5, 0.9)(path_visits, path_visits > 0) AS visit_spread',
      ...classesSql('time', 'path_ms', timeBoundsMs, bind),
      ...classesSql('visit', 'path_visits', asked.visit_bounds, bind),
      'count() OVER () AS total_rows',
    ].join(', ')}
    FROM (
      SELECT ${[...values, 'path_ms', 'path_visits', 'amount_minor - paid_back_minor AS net_minor'].join(', ')}
      FROM (SELECT * FROM ${fact.from} WHERE ${fact.where} AND is_first_payment) AS purchase
      LEFT JOIN (${paidBackSql(plan, bind)}) AS paid_back ON transaction_id = paid_back_of
    )
    ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}
    ORDER BY ${['count() DESC', ...keys].join(', ')}
    LIMIT ${bind(asked.limit, 'UInt64')}`;
  return { sql, params };
}

/** SQL of how many are in each class that the bounds make, and what they paid. */
function classesSql(name: string, column: string, bounds: readonly number[], bind: Bind): string[] {
  const place = `arrayCount(bound -> ${column} >= bound, ${bind(bounds, 'Array(Int64)')})`;
  const each = (value: string) =>
    `arrayMap(number -> toString(number), sumForEachIf(arrayMap(
      number -> if(number = ${place}, ${value}, 0), range(${bounds.length + 1})), path_visits > 0))`;
  return [`${each('1')} AS ${name}_customers`, `${each('net_minor')} AS ${name}_minor`];
}

/** SQL of what was ever paid back of the payments of the period, in the site's currency. */
function paidBackSql(plan: Scope, bind: Bind): string {
  const { startsAt, endsAt } = plan.period;
  const made = `
    SELECT kind, transaction_id, original_transaction_id, currency, paid_at, amount_minor AS raw_minor
    FROM payments FINAL
    WHERE ${ofSite(plan, bind)} AND kind = 'refund'
      AND paid_at >= ${instant(startsAt, bind)} AND paid_at < ${instant(endsAt, bind)}`;
  return `
    SELECT if(original_transaction_id = '', transaction_id, original_transaction_id) AS paid_back_of,
      sum(amount_minor) AS paid_back_minor
    FROM (${convertedSql(made, plan, { bind, tellsBefore: false })})
    GROUP BY paid_back_of`;
}

import { assert } from '#domain/assert.ts';
import type { Bind, FilteredDimension } from '../../dimension.ts';
import type { Filter } from '../../query/filter.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { toCondition } from '../../query/sql/condition.ts';
import { convertedSql } from '../../query/sql/converted.ts';
import { customerSql } from '../../query/sql/customer.ts';
import { zoneSql } from '../../query/sql/engine-zone.ts';
import { joinPayers, personSql, toPersonNumber } from '../../query/sql/persons.ts';
import { within } from '../../query/sql/rows.ts';

/**
 * SQL of the payments and refunds of the period that are meant, of trials none: `who` (a number),
 * `kind`, `at` and `made_on` (the day in the query's zone), and `amount_minor` in the site's currency,
 * negative for a refund.
 */
export function moneySql(payments: Filter, plan: Scope, bind: Bind): string {
  const zone = zoneSql(plan.period.timeZone, bind);
  const made = `
    SELECT ${whoPaidSql(plan)} AS who, kind, transaction_id, currency, paid_at,
      amount_minor AS raw_minor, occurred_at AS at, toDate(occurred_at, ${zone}) AS made_on
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)} AND amount_minor > 0
      AND ${toPaymentCondition(payments, bind)}`;
  return `
    SELECT who, kind, at, made_on,
      if(kind = 'refund', -amount_minor, amount_minor) AS amount_minor
    FROM (${convertedSql(made, plan, { bind, tellsBefore: false })})`;
}

/**
 * SQL, as it stands behind FROM, of members (`who`), each with all their `outlays`: the day, the amount as
 * {@link moneySql} has it, and whether it is a payment.
 */
export function withOutlaysSql(members: string, payments: Filter, plan: Scope, bind: Bind): string {
  return `(${members}) AS members LEFT JOIN (
      SELECT who AS payer, groupArray((made_on, amount_minor, kind = 'payment')) AS outlays
      FROM (${moneySql(payments, plan, bind)}) GROUP BY payer
    ) AS paid ON members.who = paid.payer`;
}

/** SQL of who paid, as a number, over rows joined by `joinPayers`; `customer` stands for nobody known. */
export function whoPaidSql(plan: Scope, customer = customerSql(plan)): string {
  return toPersonNumber(`if(${personSql(plan)} != '', ${personSql(plan)}, ${customer})`);
}

/** SQL of a filter by dimensions of payments, over their rows. */
export function toPaymentCondition(payments: Filter, bind: Bind): string {
  const toValue = (dimension: FilteredDimension) => {
    assert(dimension.of === 'payment', 'payments are chosen by their own dimensions');
    return dimension.sql;
  };
  return toCondition(payments, { toValue, bind });
}

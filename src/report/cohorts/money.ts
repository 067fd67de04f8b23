import type { Bind, FilteredDimension } from '../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Question } from '../question.ts';
import { toCondition } from '../sql/condition.ts';
import { convertedSql } from '../sql/converted.ts';
import { toEngineZone } from '../sql/engine-zone.ts';
import { joinPayers } from '../sql/persons.ts';
import { within } from '../sql/rows.ts';
import { whoPaidSql } from './first-visits.ts';

/**
 * SQL of the payments and refunds of the period that are meant, of trials none: `who` (a number),
 * `kind`, `at` and `made_on` (the day in the question's zone),
 * and `amount_minor` in the site's currency, negative for a refund.
 */
export function moneySql(payments: Filter, question: Question, bind: Bind): string {
  const zone = bind(toEngineZone(question.period.timeZone), 'String');
  const made = `
    SELECT ${whoPaidSql(question)} AS who, kind, transaction_id, currency, paid_at,
      amount_minor AS raw_minor, occurred_at AS at, toDate(occurred_at, ${zone}) AS made_on
    FROM payments FINAL ${joinPayers(question, bind)}
    WHERE ${within('occurred_at', question, bind)} AND amount_minor > 0
      AND ${toPaymentCondition(payments, bind)}`;
  return `
    SELECT who, kind, at, made_on,
      if(kind = 'refund', -amount_minor, amount_minor) AS amount_minor
    FROM (${convertedSql(made, question, { bind, tellsBefore: false })})`;
}

/** SQL of a filter by dimensions of payments, over their rows. */
export function toPaymentCondition(payments: Filter, bind: Bind): string {
  return toCondition(payments, { toValue, bind });
}

function toValue(dimension: FilteredDimension): string {
  if (dimension.of !== 'payment') throw new Error('payments are chosen by their own dimensions');
  return dimension.sql;
}

import type { Bind } from '../../dimension.ts';
import type { Query } from '../query.ts';
import { joinPayers, personSql } from './persons.ts';

/**
 * SQL of who paid, over a row of `payments` joined by `joinPayers`: the person; of nobody known as one the
 * customer's id, else the e-mail; a payment with none of them is a customer of its own.
 */
export const customerSql = (
  query: Query,
) => `multiIf(${personSql(query)} != '', concat('person ', ${personSql(query)}),
  customer_id != '', concat('customer ', customer_id),
  email != '', concat('email ', email),
  concat('payment ', if(original_transaction_id = '', transaction_id, original_transaction_id)))`;

/** SQL that holds for the first payment above 0 that a customer ever made. */
export function isFirstPaymentSql(query: Query, bind: Bind): string {
  return `(kind = 'payment' AND transaction_id IN (
    SELECT argMin(transaction_id, (occurred_at, transaction_id))
    FROM payments FINAL ${joinPayers(query, bind)}
    WHERE site_id = ${bind(query.site.id, 'String')} AND kind = 'payment' AND amount_minor > 0
    GROUP BY ${customerSql(query)}))`;
}

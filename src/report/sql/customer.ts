import type { Bind } from '../dimension.ts';
import type { Question } from '../question.ts';

/**
 * SQL of who paid, over a row of `payments`: the customer's id, else the e-mail, else the visitor; a
 * payment of nobody known is a customer of its own.
 */
export const CUSTOMER = `multiIf(customer_id != '', concat('customer ', customer_id),
  email != '', concat('email ', email),
  visitor_id != '', concat('visitor ', visitor_id),
  concat('payment ', if(original_transaction_id = '', transaction_id, original_transaction_id)))`;

/** SQL that holds for the first payment above 0 that a customer ever made. */
export function isFirstPaymentSql({ site }: Question, bind: Bind): string {
  return `(kind = 'payment' AND transaction_id IN (
    SELECT argMin(transaction_id, (occurred_at, transaction_id))
    FROM payments FINAL
    WHERE site_id = ${bind(site.id, 'String')} AND kind = 'payment' AND amount_minor > 0
    GROUP BY ${CUSTOMER}))`;
}

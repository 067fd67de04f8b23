import type { Scope } from '../plan/plan.ts';
import { payerNumber } from './persons.ts';

/**
 * SQL of who paid, over a row of `payments` joined by `joinPayers`: the person; of nobody known as one the
 * customer's id, else the e-mail; a payment with none of them is a customer of its own.
 */
export const customerSql = (
  scope: Scope,
) => `multiIf(${scope.joinsPersons ? 'joined_number != 0 OR ' : ''}visitor_id != '', concat('person ', toString(${payerNumber(scope)})),
  customer_id != '', concat('customer ', customer_id),
  email != '', concat('email ', email),
  concat('payment ', if(original_transaction_id = '', transaction_id, original_transaction_id)))`;

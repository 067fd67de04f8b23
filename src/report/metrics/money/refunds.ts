import { defineCount } from '../../metric.ts';

/** Money back: refunds made in the period, of whenever the payment was. A positive amount. */
export const refunds = defineCount({
  name: 'refunds',
  unit: 'money',
  of: 'payments',
  sql: "sumIf(amount_minor, kind = 'refund')",
});

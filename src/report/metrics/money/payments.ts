import { defineCount } from '../../metric.ts';

/** Payments made in the period, in any currency, renewals, trials and refunded ones included. */
export const payments = defineCount({
  name: 'payments',
  unit: 'credit',
  of: 'payments',
  sql: "sumIf(credit, kind = 'payment')",
});

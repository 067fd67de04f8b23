import { defineMetric, ofPayments } from '../../metric.ts';

/** Revenue of renewals: payments less refunds. */
export const renewalRevenue = defineMetric(
  'renewal_revenue',
  'money',
  ofPayments("sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 1)"),
);

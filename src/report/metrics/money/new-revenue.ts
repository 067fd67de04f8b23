import { defineMetric, ofPayments } from '../../metric.ts';

/** Revenue of payments that are not renewals: payments less refunds. */
export const newRevenue = defineMetric(
  'new_revenue',
  'money',
  ofPayments("sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 0)"),
);

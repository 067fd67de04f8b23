import { defineMetric, ofPayments } from '../../metric.ts';

/** Revenue of payments that are no renewals: what was paid less what was paid back of them. */
export const newRevenue = defineMetric(
  'new_revenue',
  'money',
  ofPayments("sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 0)"),
);

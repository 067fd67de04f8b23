import { defineMetric, ofPayments } from '../../metric.ts';

/** Money in: payments made in the period, whether refunded later or not. */
export const grossRevenue = defineMetric(
  'gross_revenue',
  'money',
  ofPayments("sumIf(amount_minor, kind = 'payment')"),
);

import { defineCount } from '../../metric.ts';

/** Money in: payments made in the period, whether refunded later or not. */
export const grossRevenue = defineCount({
  name: 'gross_revenue',
  unit: 'money',
  of: 'payments',
  sql: "sumIf(amount_minor, kind = 'payment')",
});

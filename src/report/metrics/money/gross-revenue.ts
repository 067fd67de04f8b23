import { defineMetric } from '../../metric.ts';

/** Money in: payments made in the period, whether refunded later or not. */
export const grossRevenue = defineMetric({
  name: 'gross_revenue',
  unit: 'money',
  parts: { gross: { of: 'payments', sql: "sumIf(amount_minor, kind = 'payment')" } },
  toSql: ({ gross }) => gross,
});

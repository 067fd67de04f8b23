import { defineMetric } from '../../metric.ts';

/** Revenue of renewals: what was paid less what was paid back of them. */
export const renewalRevenue = defineMetric({
  name: 'renewal_revenue',
  unit: 'money',
  parts: {
    revenue: {
      of: 'payments',
      sql: "sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 1)",
    },
  },
  toSql: ({ revenue }) => revenue,
});

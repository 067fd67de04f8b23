import { defineMetric } from '../../metric.ts';

/** Revenue of payments that are no renewals: what was paid less what was paid back of them. */
export const newRevenue = defineMetric({
  name: 'new_revenue',
  unit: 'money',
  parts: {
    revenue: {
      of: 'payments',
      sql: "sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 0)",
    },
  },
  toSql: ({ revenue }) => revenue,
});

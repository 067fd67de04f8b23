import { defineMetric } from '../../metric.ts';

/** Money in less money back: payments less refunds made in the period. May be negative. */
export const revenue = defineMetric({
  name: 'revenue',
  unit: 'money',
  parts: {
    revenue: { of: 'payments', sql: "sum(if(kind = 'refund', -amount_minor, amount_minor))" },
  },
  toSql: ({ revenue }) => revenue,
});

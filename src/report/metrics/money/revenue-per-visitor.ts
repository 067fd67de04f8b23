import { defineMetric, distinctVisitors, perHead } from '../../metric.ts';

/** Revenue of the period divided by its visitors, rounded to the minor unit, halves away from zero. */
export const revenuePerVisitor = defineMetric({
  name: 'revenue_per_visitor',
  unit: 'money',
  parts: {
    revenue: { of: 'payments', sql: "sum(if(kind = 'refund', -amount_minor, amount_minor))" },
    visitors: {
      of: 'visits',
      sql: distinctVisitors(),
      byEvent: { of: 'events', sql: distinctVisitors() },
    },
  },
  toSql: ({ revenue, visitors }) => perHead(revenue, visitors),
});

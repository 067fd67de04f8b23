import { defineMetric, perHead, REVENUE, VISITORS } from '../../metric.ts';

/** Revenue of the period divided by its visitors, rounded to the minor unit, halves away from zero. */
export const revenuePerVisitor = defineMetric({
  name: 'revenue_per_visitor',
  unit: 'money',
  parts: {
    revenue: REVENUE,
    visitors: VISITORS,
  },
  toSql: ({ revenue, visitors }) => perHead(revenue, visitors),
});

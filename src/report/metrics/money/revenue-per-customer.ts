import { defineMetric, ofPayments, REVENUE } from '../../metric.ts';

/**
 * Revenue of the period divided by its customers, rounded to the minor unit, halves away from zero. Over
 * all time, it is the lifetime value to date.
 */
export const revenuePerCustomer = defineMetric(
  'revenue_per_customer',
  'money',
  REVENUE,
  ofPayments("uniqExactIf(customer, kind = 'payment' AND raw_minor > 0 AND is_converted = 1)", {
    needs: ['customer'],
  }),
);

import { defineMetric, ofPayments, REVENUE } from '../../metric.ts';

/**
 * Revenue of the period divided by the customers who paid in it, to the minor unit, halves away from
 * zero: over all time, what a customer has been worth to date.
 */
export const revenuePerCustomer = defineMetric(
  'revenue_per_customer',
  'money',
  REVENUE,
  ofPayments("uniqExactIf(customer, kind = 'payment' AND raw_minor > 0 AND is_converted = 1)", {
    needs: ['customer'],
  }),
);

import { defineMetric, ofPayments } from '../../metric.ts';

/** Distinct customers with a payment above 0 in the period, in any currency, refunded later or not. */
export const customers = defineMetric(
  'customers',
  'count',
  ofPayments("uniqExactIf(customer, kind = 'payment' AND raw_minor > 0)", { needs: ['customer'] }),
);

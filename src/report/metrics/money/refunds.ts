import { defineMetric, ofPayments } from '../../metric.ts';

/** Money back: refunds made in the period, of whenever the payment was. A positive amount. */
export const refunds = defineMetric(
  'refunds',
  'money',
  ofPayments("sumIf(amount_minor, kind = 'refund')"),
);

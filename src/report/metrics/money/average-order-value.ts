import { defineMetric, ofPayments, WHOLE_CREDIT } from '../../metric.ts';

/** Gross revenue of the period divided by its payments above 0, rounded to the minor unit, halves away from zero. */
export const averageOrderValue = defineMetric(
  'average_order_value',
  'money',
  ofPayments(`${WHOLE_CREDIT} * sumIf(amount_minor, kind = 'payment')`),
  ofPayments("sumIf(credit, kind = 'payment' AND raw_minor > 0 AND is_converted = 1)"),
);

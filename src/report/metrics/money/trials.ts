import { defineMetric, ofPayments } from '../../metric.ts';

/** Payments of 0 made in the period, such as the start of a free trial. */
export const trials = defineMetric(
  'trials',
  'credit',
  ofPayments("sumIf(credit, kind = 'payment' AND raw_minor = 0)"),
);

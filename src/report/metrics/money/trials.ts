import { defineCount } from '../../metric.ts';

/** Payments of 0 made in the period, such as the start of a free trial. */
export const trials = defineCount({
  name: 'trials',
  unit: 'credit',
  of: 'payments',
  sql: "sumIf(credit, kind = 'payment' AND raw_minor = 0)",
});

import { defineMetric } from '../metric.ts';

/** Payments of 0 made in the period, such as the start of a free trial. */
export const trials = defineMetric({
  name: 'trials',
  unit: 'count',
  parts: {
    trials: { of: 'payments', sql: "countIf(kind = 'payment' AND raw_minor = 0)" },
  },
  toSql: ({ trials }) => trials,
});

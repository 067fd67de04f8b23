import { defineMetric, wholes } from '../../metric.ts';

/** Payments of 0 made in the period, such as the start of a free trial. */
export const trials = defineMetric({
  name: 'trials',
  unit: 'credit',
  parts: {
    trials: { of: 'payments', sql: "sumIf(credit, kind = 'payment' AND raw_minor = 0)" },
  },
  toSql: ({ trials }) => wholes(trials),
});

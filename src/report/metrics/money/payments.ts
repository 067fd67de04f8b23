import { defineMetric, wholes } from '../../metric.ts';

/** Payments made in the period, in any currency, renewals, trials and refunded ones included. */
export const payments = defineMetric({
  name: 'payments',
  unit: 'credit',
  parts: { payments: { of: 'payments', sql: "sumIf(credit, kind = 'payment')" } },
  toSql: ({ payments }) => wholes(payments),
});

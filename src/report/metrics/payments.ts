import { defineMetric } from '../metric.ts';

/** Payments made in the period, in any currency, renewals, trials and refunded ones included. */
export const payments = defineMetric({
  name: 'payments',
  unit: 'count',
  parts: { payments: { of: 'payments', sql: "countIf(kind = 'payment')" } },
  toSql: ({ payments }) => payments,
});

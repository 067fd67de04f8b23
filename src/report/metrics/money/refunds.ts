import { defineMetric } from '../../metric.ts';

/** Money back: refunds made in the period, of whenever the payment was. A positive amount. */
export const refunds = defineMetric({
  name: 'refunds',
  unit: 'money',
  parts: { refunds: { of: 'payments', sql: "sumIf(amount_minor, kind = 'refund')" } },
  toSql: ({ refunds }) => refunds,
});

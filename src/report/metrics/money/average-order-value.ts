import { WHOLE_CREDIT } from '../../attribution/whole-credit.ts';
import { defineMetric, perHead } from '../../metric.ts';

/** Gross revenue of the period divided by its payments above 0, to the minor unit, halves away from zero. */
export const averageOrderValue = defineMetric({
  name: 'average_order_value',
  unit: 'money',
  parts: {
    gross: { of: 'payments', sql: "sumIf(amount_minor, kind = 'payment')" },
    paid: {
      of: 'payments',
      sql: "sumIf(credit, kind = 'payment' AND raw_minor > 0 AND is_converted = 1)",
    },
  },
  toSql: ({ gross, paid }) => perHead(`(${WHOLE_CREDIT} * ${gross})`, paid),
});

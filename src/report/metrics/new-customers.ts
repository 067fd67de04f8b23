import { defineMetric } from '../metric.ts';

/** Customers whose first payment ever above 0 was made in the period. */
export const newCustomers = defineMetric({
  name: 'new_customers',
  unit: 'count',
  parts: {
    newCustomers: { of: 'payments', sql: 'countIf(is_first_payment)' },
  },
  toSql: ({ newCustomers }) => newCustomers,
});

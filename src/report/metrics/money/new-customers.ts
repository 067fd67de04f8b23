import { defineMetric, wholes } from '../../metric.ts';

/** Customers whose first payment ever above 0 was made in the period. */
export const newCustomers = defineMetric({
  name: 'new_customers',
  unit: 'credit',
  parts: {
    newCustomers: {
      of: 'payments',
      sql: 'sumIf(credit, is_first_payment)',
      needs: ['first_payment'],
    },
  },
  toSql: ({ newCustomers }) => wholes(newCustomers),
});

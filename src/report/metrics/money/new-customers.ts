import { defineCount } from '../../metric.ts';

/** Customers whose first payment ever above 0 was made in the period. */
export const newCustomers = defineCount({
  name: 'new_customers',
  unit: 'credit',
  of: 'payments',
  sql: 'sumIf(credit, is_first_payment)',
  needs: ['first_payment'],
});

import { defineMetric, ofPayments } from '../../metric.ts';

/** Customers whose first payment ever above 0 was made in the period. */
export const newCustomers = defineMetric(
  'new_customers',
  'credit',
  ofPayments('sumIf(credit, is_first_payment)', { needs: ['first_payment'] }),
);

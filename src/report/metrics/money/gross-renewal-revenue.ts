import { sumOfMoney } from '../../metric.ts';

/** Renewals paid in the period, refunded later or not. */
export const grossRenewalRevenue = sumOfMoney(
  'gross_renewal_revenue',
  "sumIf(amount_minor, kind = 'payment' AND renewal = 1)",
);

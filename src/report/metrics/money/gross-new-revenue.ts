import { sumOfMoney } from '../../metric.ts';

/** Payments made in the period that are not renewals, refunded later or not. */
export const grossNewRevenue = sumOfMoney(
  'gross_new_revenue',
  "sumIf(amount_minor, kind = 'payment' AND renewal = 0)",
);

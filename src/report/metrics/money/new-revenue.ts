import { sumOfMoney } from '../../metric.ts';

/** Revenue of payments that are not renewals: payments less refunds. */
export const newRevenue = sumOfMoney(
  'new_revenue',
  "sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 0)",
);

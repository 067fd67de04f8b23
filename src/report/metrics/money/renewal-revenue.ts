import { sumOfMoney } from '../../metric.ts';

/** Revenue of renewals: payments less refunds. */
export const renewalRevenue = sumOfMoney(
  'renewal_revenue',
  "sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 1)",
);

import { defineCount } from '../../metric.ts';

/** Revenue of renewals: what was paid less what was paid back of them. */
export const renewalRevenue = defineCount({
  name: 'renewal_revenue',
  unit: 'money',
  of: 'payments',
  sql: "sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 1)",
});

import { defineCount } from '../../metric.ts';

/** Revenue of payments that are no renewals: what was paid less what was paid back of them. */
export const newRevenue = defineCount({
  name: 'new_revenue',
  unit: 'money',
  of: 'payments',
  sql: "sumIf(if(kind = 'refund', -amount_minor, amount_minor), renewal = 0)",
});

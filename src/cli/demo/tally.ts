import type { Story } from './imagine-visitor.ts';
import { CURRENCY } from './tea-shop.ts';

/** Sums what the demo sends, for comparison with query results. Robots are counted separately. */
export function createDemoTally() {
  const counts = { visitors: 0, visits: 0, pageviews: 0, goals: 0, robots: 0 };
  const paid = { payments: 0, trials: 0, renewals: 0 };
  let grossMinor = 0;
  let refundsMinor = 0;
  return {
    add({ isRobot, events, payments }: Story): void {
      if (isRobot) {
        counts.robots++;
        return;
      }
      counts.visitors++;
      counts.visits += new Set(events.map((event) => event.visit_id)).size;
      counts.pageviews += events.filter((event) => event.type === 'pageview').length;
      counts.goals += events.filter((event) => event.type === 'goal').length;
      const charges = payments.filter(({ refunded }) => !refunded);
      paid.payments += charges.length;
      paid.trials += charges.filter(({ amount }) => amount === 0).length;
      paid.renewals += charges.filter(({ renewal }) => renewal).length;
      grossMinor += sumMinor(charges);
      refundsMinor += sumMinor(payments.filter(({ refunded }) => refunded));
    },
    total: () => ({
      ...counts,
      ...paid,
      gross_revenue: toMoney(grossMinor),
      refunds: toMoney(refundsMinor),
      revenue: toMoney(grossMinor - refundsMinor),
    }),
  };
}

function sumMinor(payments: Story['payments']): number {
  return payments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
}

function toMoney(amountMinor: number) {
  return { value: (amountMinor / 100).toFixed(2), currency: CURRENCY };
}

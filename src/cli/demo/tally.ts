import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import { isOfRobot } from './devices.ts';
import type { Story } from './imagine-visitor.ts';
import { CURRENCY } from './tea-shop.ts';

/** What the demo holds, counted as it was told; the answers to questions must agree with it. */
export type DemoTotals = {
  /** People only, as in every answer that does not ask for robots. */
  readonly visitors: number;
  readonly visits: number;
  readonly pageviews: number;
  readonly goals: number;
  readonly robots: number;
  readonly payments: number;
  readonly trials: number;
  readonly renewals: number;
  readonly gross_revenue: Money;
  readonly refunds: Money;
  readonly revenue: Money;
};

type Money = { readonly value: string; readonly currency: string };

/** Adds stories up. */
export interface Tally {
  add(story: Story): void;
  total(): DemoTotals;
}

/** An empty tally. */
export function createTally(): Tally {
  const counts = {
    visitors: 0,
    visits: 0,
    pageviews: 0,
    goals: 0,
    robots: 0,
    payments: 0,
    trials: 0,
    renewals: 0,
  };
  let grossMinor = 0;
  let refundsMinor = 0;

  return {
    add({ events, payments }) {
      if (isOfRobot(events[0])) {
        counts.robots++;
        return;
      }
      counts.visitors++;
      counts.visits += new Set(events.map((event) => event.visit_id)).size;
      counts.pageviews += events.filter((event) => event.type === 'pageview').length;
      counts.goals += events.filter((event) => event.type === 'goal').length;
      for (const { amountMinor, report } of payments) {
        if (report.refunded) {
          refundsMinor += amountMinor;
          continue;
        }
        counts.payments++;
        grossMinor += amountMinor;
        if (amountMinor === 0) counts.trials++;
        if (report.renewal) counts.renewals++;
      }
    },
    total: () => ({
      ...counts,
      gross_revenue: toMoney(grossMinor),
      refunds: toMoney(refundsMinor),
      revenue: toMoney(grossMinor - refundsMinor),
    }),
  };
}

function toMoney(amountMinor: number): Money {
  const currency = findCurrency(CURRENCY);
  if (currency === undefined) throw new Error(`${CURRENCY} is not a currency`);
  return { value: formatAmount(BigInt(amountMinor), currency), currency: CURRENCY };
}

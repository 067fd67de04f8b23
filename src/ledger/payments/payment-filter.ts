import type { PaidIn, PaymentFilter } from '#domain/money/known-payment.ts';

/** SQL for what was refunded. */
export const REFUNDED = `CASE WHEN refund_stated_minor > other_refunds_minor
  THEN refund_stated_minor ELSE other_refunds_minor END`;

/** SQL for the status. An unmatched refund may also be of a payment that nobody has reported. */
export const STATUS = `CASE
  WHEN voided_at IS NOT NULL THEN 'voided'
  WHEN stated_minor IS NULL THEN 'unmatched_refund'
  WHEN stated_minor = 0 THEN 'trial'
  WHEN ${REFUNDED} >= stated_minor THEN 'refunded'
  WHEN ${REFUNDED} > 0 THEN 'partly_refunded'
  WHEN renewal = 1 THEN 'renewal' ELSE 'paid' END`;

const COLUMNS: Readonly<Record<keyof PaymentFilter, string>> = {
  customerId: 'customer_id',
  email: 'email',
  visitorId: 'visitor_id',
  subscriptionId: 'subscription_id',
};

/** SQL for a filter. Few payments match one: SQLite should find them by its index and sort them. */
export function askedOf(filter: PaymentFilter): { where: string; values: string[] } {
  const asked = (Object.keys(COLUMNS) as (keyof PaymentFilter)[]).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ column: COLUMNS[name], value }];
  });
  return {
    where: asked.map(({ column }) => ` AND likelihood(${column} = ?, 0.0001)`).join(''),
    values: asked.map(({ value }) => value),
  };
}

/** The first and last instant of a range. */
export function spanOf({ from = 0, before = Number.MAX_SAFE_INTEGER }: PaidIn) {
  return { from, upTo: before - 1 };
}

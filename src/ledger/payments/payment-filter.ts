import type { PaidIn, PaymentFilter } from '#domain/money/known-payment.ts';
import type { SqlValue } from '#storage/sql/sql.ts';

/** SQL for what was refunded. */
export const REFUNDED = `CASE WHEN refund_stated_minor > other_refunds_minor
  THEN refund_stated_minor ELSE other_refunds_minor END`;

/** SQL for whether it has a refund with an id of its own that …: what follows closes the bracket. */
const HAS_REFUND = `other_refunds_minor > 0 AND EXISTS (SELECT 1 FROM refunds AS back
  WHERE back.site_id = payments.site_id AND back.withdrawn_at IS NULL
    AND back.original_transaction_id = payments.transaction_id`;

/** SQL for the status. An unmatched refund may also be of a payment that nobody has reported. */
export const STATUS = `CASE
  WHEN voided_at IS NOT NULL THEN 'voided'
  WHEN stated_minor IS NULL THEN 'unmatched_refund'
  WHEN stated_minor = 0 THEN 'trial'
  WHEN ${HAS_REFUND} AND back.is_dispute = 1) THEN 'disputed'
  WHEN ${REFUNDED} >= stated_minor THEN 'refunded'
  WHEN ${REFUNDED} > 0 THEN 'partly_refunded'
  WHEN renewal = 1 THEN 'renewal' ELSE 'paid' END`;

/** Columns of which few payments have one value, and an index finds those. */
const INDEXED = {
  ...{ customerId: 'customer_id', email: 'email' },
  ...{ visitorId: 'visitor_id', subscriptionId: 'subscription_id' },
} as const;

const SEARCHED = ['transaction_id', 'visitor_id', 'customer_id', 'subscription_id', 'product'];

/** SQL for when the refund under the payment's own id was made, if it has one. */
const OWN_REFUNDED = `refund_stated_minor > other_refunds_minor
  AND coalesce(refunded_at, refund_received_at)`;

/** SQL for when another of its refunds was made. */
const REFUNDED_APART = `${HAS_REFUND} AND coalesce(back.refunded_at, back.paid_at, back.received_at)`;

/** SQL for a filter. Few payments match an indexed value: SQLite should find them by its index and sort them. */
export function askedOf(filter: PaymentFilter): { where: string; values: SqlValue[] } {
  const { search, refunded, product, provider } = filter;
  const conditions: [sql: string, ...values: SqlValue[]][] = [];
  for (const [name, column] of Object.entries(INDEXED)) {
    const value = filter[name as keyof typeof INDEXED];
    if (value !== undefined) conditions.push([`likelihood(${column} = ?, 0.0001)`, value]);
  }
  if (product !== undefined) conditions.push(['product = ?', product]);
  if (provider !== undefined) conditions.push(['provider = ?', provider]);
  if (search !== undefined) {
    const columns = [...SEARCHED, ...(search.isPersonal ? ['email'] : [])];
    const has = columns.map((column) => `instr(lower(${column}), lower(?)) > 0`);
    conditions.push([`(${has.join(' OR ')})`, ...columns.map(() => search.text)]);
  }
  if (refunded !== undefined) {
    const { from, upTo } = spanOf(refunded);
    const isThen = 'BETWEEN ? AND ?';
    conditions.push([
      `(${OWN_REFUNDED} ${isThen} OR ${REFUNDED_APART} ${isThen}))`,
      ...[from, upTo, from, upTo],
    ]);
  }
  return {
    where: conditions.map(([sql]) => ` AND ${sql}`).join(''),
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** Whether a filter reads every payment, rather than a few that an index finds. */
export function readsAll({ search, refunded }: PaymentFilter): boolean {
  return search !== undefined || refunded !== undefined;
}

/** The first and last instant of a range. */
export function spanOf({ from = 0, before = Number.MAX_SAFE_INTEGER }: PaidIn) {
  return { from, upTo: before - 1 };
}

/** What became of the money of a payment that counts. */
export const COUNTED_STATUSES = [
  'paid',
  'renewal',
  'trial',
  'partly_refunded',
  'refunded',
  'disputed',
] as const;

/** What became of a payment's money. */
export const PAYMENT_STATUSES = [...COUNTED_STATUSES, 'unmatched_refund', 'voided'] as const;

/** One of {@link PAYMENT_STATUSES}. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

import { NONE, named, type PaymentDimension } from '../../dimension.ts';

/** The payment provider that reported it; `(none)` when our own API did. */
export const paymentProvider = {
  of: 'payment',
  name: 'payment:provider',
  sql: named('provider', NONE),
} as const satisfies PaymentDimension;

import { NONE, named, type PaymentDimension } from '../../dimension.ts';

/** What was paid for, as the payment says; `(none)` when it does not. */
export const paymentProduct = {
  of: 'payment',
  name: 'payment:product',
  sql: named('product', NONE),
} as const satisfies PaymentDimension;

import type { PaymentDimension } from '../../dimension.ts';

/** Whether it is a renewal: `renewal` or `new`. */
export const paymentRenewal = {
  of: 'payment',
  name: 'payment:renewal',
  sql: "if(renewal = 1, 'renewal', 'new')",
} as const satisfies PaymentDimension;

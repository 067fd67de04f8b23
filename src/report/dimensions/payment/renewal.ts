import { paymentDimension } from '../../dimension.ts';

/** Whether the payment is a renewal: `renewal` or `new`. */
export const paymentRenewal = paymentDimension(
  'payment:renewal',
  "if(renewal = 1, 'renewal', 'new')",
);

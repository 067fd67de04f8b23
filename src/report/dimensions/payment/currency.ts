import type { PaymentDimension } from '../../dimension.ts';

/** The currency that was paid in, by its ISO 4217 code. */
export const paymentCurrency = {
  of: 'payment',
  name: 'payment:currency',
  sql: 'toString(currency)',
} as const satisfies PaymentDimension;

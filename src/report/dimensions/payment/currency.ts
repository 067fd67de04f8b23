import { paymentDimension } from '../../dimension.ts';

/** The currency that was paid in, by its ISO 4217 code. */
export const paymentCurrency = paymentDimension('payment:currency', 'toString(currency)');

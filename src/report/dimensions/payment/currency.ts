import { paymentDimension } from '../../dimension.ts';

/** Currency of the payment, as an ISO 4217 code. */
export const paymentCurrency = paymentDimension('payment:currency', 'toString(currency)');

import { VISIT } from '#contract/rows/visit-row.ts';
import { paymentDimension } from '../../dimension.ts';

/**
 * Country of the payer's latest visit up to the payment, as an ISO 3166-1 code; `(none)` if unknown. A refund
 * has the country of its payment.
 */
export const paymentCountry = paymentDimension('payment:country', VISIT.country, {
  foundIn: 'last visit',
});

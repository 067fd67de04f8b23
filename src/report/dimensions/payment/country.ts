import { VISIT } from '#contract/rows/visit-row.ts';
import { paymentDimension } from '../../dimension.ts';

/**
 * Where the payer was: the country of their latest visit up to the payment, by its ISO 3166-1 code;
 * `(none)` when none has one. A refund is in its payment's.
 */
export const paymentCountry = paymentDimension('payment:country', VISIT.country, {
  foundIn: 'last visit',
});

import { NONE, named, paymentDimension } from '../../dimension.ts';

/** The payment provider that reported it; `(none)` when our own API did. */
export const paymentProvider = paymentDimension('payment:provider', named('provider', NONE));

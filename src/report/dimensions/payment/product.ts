import { NONE, named, paymentDimension } from '../../dimension.ts';

/** What was paid for, as the payment says; `(none)` when it does not. */
export const paymentProduct = paymentDimension('payment:product', named('product', NONE));

import { named, paymentDimension } from '../../dimension.ts';

/** Product of the payment; `(none)` without one. */
export const paymentProduct = paymentDimension('payment:product', named('product'));

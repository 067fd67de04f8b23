import { NONE } from '#contract/row-labels.ts';
import { named, paymentDimension } from '../../dimension.ts';

/** Product of the payment; `(none)` without one. */
export const paymentProduct = paymentDimension('payment:product', named('product', NONE));

import { named, paymentDimension } from '../../dimension.ts';

/** Payment provider that reported the payment; `(none)` for our own API. */
export const paymentProvider = paymentDimension('payment:provider', named('provider'));

import { createBodyHmac } from '../webhook-signatures.ts';

/** The HMAC of the body. It signs no time. After a change of the secret, repeats of old events keep the old one. */
export const razorpaySignature = createBodyHmac({
  headers: ['x-razorpay-signature'],
  ...{ algorithm: 'sha256', encoding: 'hex' },
});

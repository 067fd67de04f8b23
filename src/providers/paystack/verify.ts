import { createBodyHmac } from '../webhook-signatures.ts';

/** The HMAC of the body with the account's API secret: Paystack has no secret of the webhook, and signs no time. */
export const paystackSignature = createBodyHmac({
  headers: ['x-paystack-signature'],
  ...{ algorithm: 'sha512', encoding: 'hex' },
});

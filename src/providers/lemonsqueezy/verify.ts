import { createBodyHmac } from '../webhook-signatures.ts';

/** The HMAC of the body. It signs no time: repeated deliveries are known by their ids. */
export const lemonSqueezySignature = createBodyHmac({
  headers: ['x-signature'],
  ...{ algorithm: 'sha256', encoding: 'hex' },
});

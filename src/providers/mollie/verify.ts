import { createBodyHmac } from '../webhook-signatures.ts';

/** The HMAC of the body, several of them while a secret is rotated. It signs no time. */
export const mollieSignature = createBodyHmac({
  headers: ['x-mollie-signature'],
  ...{ algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
});

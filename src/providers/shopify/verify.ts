import { createBodyHmac } from '../webhook-signatures.ts';

/** The HMAC of the body with the app's client secret, or with the secret of the notifications page. It signs no time. */
export const shopifySignature = createBodyHmac({
  headers: ['x-shopify-hmac-sha256', 'shopify-hmac-sha256'],
  ...{ algorithm: 'sha256', encoding: 'base64' },
});

import type { Delivery } from '../provider.ts';
import { createBodyHmac } from '../webhook-signatures.ts';

/** The HMAC of the body. It signs no time. */
export const wooCommerceSignature = createBodyHmac({
  headers: ['x-wc-webhook-signature'],
  ...{ algorithm: 'sha256', encoding: 'base64' },
});

/** The first call to a new address is a form without a signature. WooCommerce gives the webhook up if it is refused. */
export function isWooCommercePing({ headers, body }: Delivery): boolean {
  const isUnsigned = headers['x-wc-webhook-signature'] === undefined;
  return isUnsigned && body.length < 40 && /^webhook_id=\d+$/.test(body.toString('latin1'));
}

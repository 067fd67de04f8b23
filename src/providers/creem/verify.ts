import type { Delivery, VerifyRefusal } from '../provider.ts';
import { createBodyHmac, decodedKey, verifyStandardWebhook } from '../webhook-signatures.ts';

/** The HMAC of the body. */
export const creemSignature = createBodyHmac({
  headers: ['creem-signature', 'x-creem-signature'],
  ...{ algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
});

/** Checks the HMAC of the body; or Standard Webhooks, where its headers are sent. */
export function verifyCreem(
  delivery: Delivery,
  secrets: readonly string[],
): VerifyRefusal | undefined {
  if (delivery.headers['webhook-signature']) {
    return verifyStandardWebhook(delivery, secrets, [decodedKey]);
  }
  return creemSignature.verify(delivery, secrets);
}

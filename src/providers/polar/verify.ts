import type { Delivery } from '../provider.ts';
import {
  decodedKey,
  plainKey,
  signStandardWebhook,
  verifyStandardWebhook,
} from '../webhook-signatures.ts';

/**
 * Checks a delivery of Polar: Standard Webhooks, but the key is the secret's own bytes, prefix included.
 *
 * - Why the decoded key too: Polar's own library takes both, so that they can change to the standard.
 */
export function verifyPolar(delivery: Delivery, secrets: readonly string[]) {
  return verifyStandardWebhook(delivery, secrets, [plainKey, decodedKey]);
}

/** The headers of a delivery that is signed with a secret. */
export function signPolar(body: string, secret: string, at: number, id: string) {
  return signStandardWebhook(body, plainKey(secret), at, id);
}

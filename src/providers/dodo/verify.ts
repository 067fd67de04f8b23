import type { Delivery } from '../provider.ts';
import { decodedKey, signStandardWebhook, verifyStandardWebhook } from '../webhook-signatures.ts';

/** Checks a delivery of Dodo Payments: Standard Webhooks. */
export function verifyDodo(delivery: Delivery, secrets: readonly string[]) {
  return verifyStandardWebhook(delivery, secrets, [decodedKey]);
}

/** The headers of a delivery that is signed with a secret. */
export function signDodo(body: string, secret: string, at: number, id: string) {
  return signStandardWebhook(body, decodedKey(secret), at, id);
}

import type { Delivery } from '../provider.ts';
import { hmac } from '../signatures.ts';
import { decodedKey, verifyBodyHmac, verifyStandardWebhook } from '../webhook-signatures.ts';

const HEADER = 'creem-signature';

/** Checks the HMAC of the body in hex; or Standard Webhooks, where its headers are sent. */
export function verifyCreem(delivery: Delivery, secrets: readonly string[]) {
  if (delivery.headers['webhook-signature']) {
    return verifyStandardWebhook(delivery, secrets, [decodedKey]);
  }
  const header = delivery.headers[HEADER] ?? delivery.headers[`x-${HEADER}`];
  const scheme = { algorithm: 'sha256', encoding: 'hex' } as const;
  return verifyBodyHmac(header, scheme, delivery, secrets);
}

/** The header of a delivery that is signed with a secret. */
export function signCreem(body: string, secret: string) {
  return { [HEADER]: hmac('sha256', secret, body).toString('hex') };
}

import type { Delivery } from '../provider.ts';
import { hmac } from '../signatures.ts';
import { verifyBodyHmac } from '../webhook-signatures.ts';

const HEADER = 'x-signature';

/** Checks `X-Signature`, the HMAC of the body in hex. It signs no time: repeated deliveries are known by their ids. */
export function verifyLemonSqueezy(delivery: Delivery, secrets: readonly string[]) {
  const scheme = { algorithm: 'sha256', encoding: 'hex' } as const;
  return verifyBodyHmac(delivery.headers[HEADER], scheme, delivery, secrets);
}

/** The header of a delivery that is signed with a secret. */
export function signLemonSqueezy(body: string, secret: string) {
  return { [HEADER]: hmac('sha256', secret, body).toString('hex') };
}

import type { ConnectionSecrets, Delivery, VerifyRefusal } from '../provider.ts';
import { findTimeFault, hmac, isSignedBy } from '../signatures.ts';

/**
 * Checks `Stripe-Signature`: `t` and any `v1`, the HMAC of `t.body` with the whole `whsec_…` as its key.
 *
 * - Source: https://docs.stripe.com/webhooks#verify-manually
 */
export function verifyStripe(
  { headers, body, receivedAt }: Delivery,
  { signingSecrets }: ConnectionSecrets,
): VerifyRefusal | undefined {
  const header = headers['stripe-signature'];
  if (header === undefined) return 'unsigned';
  const parts = header.split(',').map((part) => part.trim().split('=') as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const sent = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
  if (!/^\d{1,12}$/.test(time) || sent.length === 0) return 'forged';
  const isSigned = isSignedBy(sent, 'hex', signingSecrets, (secret) =>
    hmac('sha256', secret, `${time}.`, body),
  );
  return isSigned ? findTimeFault(Number(time) * 1_000, receivedAt) : 'forged';
}

/** The header that Stripe would send with this body. */
export function signAsStripe(body: string, secret: string, at: number): Record<string, string> {
  const time = Math.floor(at / 1_000);
  const signature = hmac('sha256', secret, `${time}.${body}`).toString('hex');
  return { 'stripe-signature': `t=${time},v1=${signature}` };
}

import type { Delivery, VerifyRefusal } from '../provider.ts';
import { findTimeFault, hmac, isSignedBy } from '../signatures.ts';

const HEADER = 'paddle-signature';
/** More than Paddle sends while a secret is rotated. */
const SIGNATURES_MAX = 10;

/**
 * Checks `Paddle-Signature: ts=…;h1=…`, of whose `h1` any may match.
 *
 * - Why not Paddle's five seconds: a delivery may wait behind a burst.
 * - Source: https://developer.paddle.com/webhooks/signature-verification.
 */
export function verifyPaddle(
  { headers, body, receivedAt }: Delivery,
  secrets: readonly string[],
): VerifyRefusal | undefined {
  const header = headers[HEADER];
  if (!header) return 'unsigned';
  const parts = header.split(';', SIGNATURES_MAX + 1).map((part) => part.trim().split('='));
  const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name ? value : []));
  const sent = valuesOf('h1').filter((value) => value !== undefined);
  const ts = valuesOf('ts')[0];
  if (ts === undefined || !/^\d{1,12}$/.test(ts)) return 'forged';
  const sign = (secret: string) => hmac('sha256', secret, `${ts}:`, body);
  if (!isSignedBy(sent, 'hex', secrets, sign)) return 'forged';
  return findTimeFault(Number(ts) * 1_000, receivedAt);
}

/** The header of a delivery that is signed with a secret. */
export function signPaddle(body: string, secret: string, at: number) {
  const ts = Math.floor(at / 1_000);
  return { [HEADER]: `ts=${ts};h1=${hmac('sha256', secret, `${ts}:${body}`).toString('hex')}` };
}

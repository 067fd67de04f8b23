import { createHmac, timingSafeEqual } from 'node:crypto';
import type { VerifyRefusal } from './provider.ts';

/** How far a delivery's signed time may be from ours, in both directions. */
const TOLERANCE_MS = 300_000;

/** The HMAC of a message. */
export function hmac(
  algorithm: 'sha256' | 'sha512',
  key: string | Buffer,
  ...message: readonly (string | Buffer)[]
): Buffer {
  const made = createHmac(algorithm, key);
  for (const part of message) made.update(part);
  return made.digest();
}

/** Whether two byte strings are equal, in constant time. */
export function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Checks signatures: any of those sent may match the one that any of the secrets makes.
 *
 * - Why every pair is compared: the time says nothing about which one matched.
 */
export function isSignedBy(
  sent: readonly string[],
  encoding: 'hex' | 'base64',
  secrets: readonly string[],
  sign: (secret: string) => Buffer,
): boolean {
  const given = sent.map((each) => Buffer.from(each, encoding));
  let found = false;
  for (const secret of secrets) {
    // Everybody can sign with an empty secret.
    if (secret === '') continue;
    const expected = sign(secret);
    for (const each of given) found = isSame(each, expected) || found;
  }
  return found;
}

/** Why a signed time is refused, if it is too far from ours. Retries of some providers keep the first time. */
export function findTimeFault(
  signedAtMs: number,
  receivedAt: number,
  ageMaxMs = TOLERANCE_MS,
): VerifyRefusal | undefined {
  if (!Number.isFinite(signedAtMs)) return 'forged';
  if (signedAtMs < receivedAt - ageMaxMs) return 'stale';
  return signedAtMs > receivedAt + TOLERANCE_MS ? 'future' : undefined;
}

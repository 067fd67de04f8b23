import type { Delivery, VerifyRefusal } from './provider.ts';
import { findTimeFault, hmac, isSignedBy } from './signatures.ts';

/** How a provider writes the HMAC of a body into a header. */
type BodyHmac = {
  /** Any of these headers. We sign with the first. */
  readonly headers: readonly [string, ...string[]];
  readonly algorithm: 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
  /** What stands before the HMAC, such as `sha256=`. Senders may leave it out. */
  readonly prefix?: string;
};

/** Verifies and signs by a header with the HMAC of the body, or with several of them, separated by commas or spaces. */
export function createBodyHmac({ headers, algorithm, encoding, prefix = '' }: BodyHmac) {
  const [first] = headers;
  const withoutPrefix = (text: string) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return {
    verify: (delivery: Delivery, secrets: readonly string[]): VerifyRefusal | undefined => {
      const header = headers.map((name) => delivery.headers[name]).find(Boolean);
      if (header === undefined) return 'unsigned';
      const sent = header.split(/[\s,]+/, SIGNATURES_MAX).map(withoutPrefix);
      const sign = (secret: string) => hmac(algorithm, secret, delivery.body);
      return isSignedBy(sent, encoding, secrets, sign) ? undefined : 'forged';
    },
    sign: (body: string, secret: string): Readonly<Record<string, string>> => ({
      [first]: `${prefix}${hmac(algorithm, secret, body).toString(encoding)}`,
    }),
  };
}

/** How a provider writes a time and the HMAC of time and body into one header, such as `t=1,v1=ab,v1=cd`. */
type TimedHmac = {
  readonly header: string;
  /** What separates the parts of the header, and what stands between time and body where they are signed. */
  readonly separators: readonly [ofParts: string, ofBody: string];
  /** The names of the time, in seconds, and of the signature, in hex. */
  readonly names: readonly [time: string, signature: string];
};

/** Verifies and signs by a header with a time and the HMAC of time and body. Any of several may match. */
export function createTimedHmac({ header: name, separators, names }: TimedHmac) {
  const [[ofParts, ofBody], [time, signature]] = [separators, names];
  return {
    verify: (
      { headers, body, receivedAt }: Delivery,
      secrets: readonly string[],
    ): VerifyRefusal | undefined => {
      const header = headers[name];
      if (!header) return 'unsigned';
      const parts = header.split(ofParts, SIGNATURES_MAX + 1).map((part) => part.trim().split('='));
      const valuesOf = (asked: string) =>
        parts.flatMap(([key, value]) => (key === asked && value ? [value] : []));
      const [at = ''] = valuesOf(time);
      if (!/^\d{1,12}$/.test(at)) return 'forged';
      const sign = (secret: string) => hmac('sha256', secret, `${at}${ofBody}`, body);
      if (!isSignedBy(valuesOf(signature), 'hex', secrets, sign)) return 'forged';
      return findTimeFault(Number(at) * 1_000, receivedAt);
    },
    sign: (body: string, secret: string, atMs: number): Readonly<Record<string, string>> => {
      const at = Math.floor(atMs / 1_000);
      const signed = hmac('sha256', secret, `${at}${ofBody}${body}`).toString('hex');
      return { [name]: `${time}=${at}${ofParts}${signature}=${signed}` };
    },
  };
}

/** Checks a token that is sent as it is. */
export function verifyToken(
  sent: string | undefined,
  secrets: readonly string[],
): VerifyRefusal | undefined {
  if (!sent) return 'unsigned';
  const isKnown = isSignedBy([Buffer.from(sent).toString('hex')], 'hex', secrets, Buffer.from);
  return isKnown ? undefined : 'forged';
}

/** Makes a key of a secret's text: its bytes, or what they encode. Providers differ. */
type KeyOf = (secret: string) => Buffer;

/** The secret's own bytes. */
export const plainKey: KeyOf = (secret) => Buffer.from(secret);

/** The bytes that the secret encodes in base64, after its prefix `whsec_`. */
export const decodedKey: KeyOf = (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/**
 * Checks the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * - Source: Standard Webhooks, https://www.standardwebhooks.com.
 */
export function verifyStandardWebhook(
  { headers, body, receivedAt }: Delivery,
  secrets: readonly string[],
  keysOf: readonly KeyOf[],
): VerifyRefusal | undefined {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) return 'unsigned';
  if (!/^\d{1,12}$/.test(timestamp)) return 'forged';
  const sent = signatures
    .split(' ', SIGNATURES_MAX)
    .flatMap((each) => (each.startsWith('v1,') ? each.slice(3) : []));
  const isSigned = keysOf.some((keyOf) =>
    isSignedBy(
      sent,
      'base64',
      secrets.filter((secret) => keyOf(secret).length > 0),
      (secret) => signStandard(keyOf(secret), id, timestamp, body),
    ),
  );
  return isSigned ? findTimeFault(Number(timestamp) * 1_000, receivedAt) : 'forged';
}

/** The headers of a delivery by Standard Webhooks. */
export function signStandardWebhook(
  body: string,
  key: Buffer,
  at: number,
  id: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = signStandard(key, id, timestamp, body).toString('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** More than any provider sends while secrets are rotated. The rest of a longer header is not looked at. */
const SIGNATURES_MAX = 10;

function signStandard(key: Buffer, id: string, timestamp: string, body: string | Buffer): Buffer {
  return hmac('sha256', key, `${id}.${timestamp}.`, body);
}

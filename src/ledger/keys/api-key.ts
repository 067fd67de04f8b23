import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'trib_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 43 base-62 digits hold 256 bits; 6 hold the 32-bit checksum. */
const RANDOM_BYTES = 32;
const RANDOM_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

const KEY_FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`);

/**
 * Creates a secret key: `trib_`, 256 random bits in base 62, and their CRC32.
 *
 * Why a checksum: it rejects mistyped keys without a lookup, and lets secret scanners recognize our keys.
 */
export function mintKey(): string {
  const random = toBase62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_DIGITS);
  return `${PREFIX}${random}${checksumOf(random)}`;
}

/** Whether a text has the form of a key and a valid checksum. */
export function isKey(text: string): boolean {
  if (!KEY_FORM.test(text)) return false;
  const random = text.slice(PREFIX.length, -CHECKSUM_DIGITS);
  return text.endsWith(checksumOf(random));
}

/** The stored parts of a key: enough to recognize it, not enough to use it. */
export function fingerprintOf(key: string): {
  readonly sha256: string;
  readonly prefix: string;
  readonly last4: string;
} {
  return {
    sha256: hash('sha256', key),
    prefix: key.slice(0, PREFIX.length + 4),
    last4: key.slice(-4),
  };
}

function checksumOf(random: string): string {
  return toBase62(BigInt(crc32(random)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n)
    text = DIGITS[Number(rest % 62n)] + text;
  return text;
}

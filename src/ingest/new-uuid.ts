import { randomBytes } from 'node:crypto';

/** Makes ids whose order is that of the instants they are made for. */
export type NewId = (atMs: number) => string;

/** Randomness is fetched for many ids at a time: a call for each would cost more than the id. */
const POOL_BYTES = 10 * 400;
const DIGITS_PER_ID = 20;
const VARIANTS = '89ab';

let pool = '';
let poolAt = 0;
/** Many ids are made in one millisecond: its digits are written once. */
let opening = { atMs: -1, digits: '' };

/**
 * A new UUID of version 7 for an instant.
 *
 * - Source: RFC 9562, section 5.7: 48 bits of time, 74 random bits.
 */
export function newUuid(atMs: number): string {
  if (atMs !== opening.atMs) opening = { atMs, digits: toOpening(atMs) };
  const digits = takeDigits();
  const variant = VARIANTS[digits.charCodeAt(3) & 3];
  return `${opening.digits}${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(7, 19)}`;
}

/** The time and the version. */
function toOpening(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

function takeDigits(): string {
  if (poolAt === pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    poolAt = 0;
  }
  poolAt += DIGITS_PER_ID;
  return pool.slice(poolAt - DIGITS_PER_ID, poolAt);
}

/**
 * The instant that a UUID of version 7 was made for.
 *
 * - Units: milliseconds since 1970 in UTC.
 */
export function instantOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

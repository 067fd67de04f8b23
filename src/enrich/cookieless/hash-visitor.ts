import { createHmac } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';

type VisitorTraces = {
  readonly siteId: string;
  readonly address: string;
  readonly userAgent: string;
};

/** Computes a visitor's id for the day of an instant. */
export type HashVisitor = (traces: VisitorTraces, atMs: number) => string;

/** Prefix of daily ids, which distinguishes them from cookie ids. */
const DAILY_ID_PREFIX = 'daily-';

/** 128 bits, so that ids do not collide. */
const DIGEST_BYTES = 16;

/**
 * Creates a function that identifies visitors for one day by a keyed hash of IP address, user agent
 * and site.
 *
 * - `keyOf` returns the random key of an instant's day. Without the key, an id cannot be traced back,
 *   not even by trying every IP address.
 */
export function createHashVisitor(keyOf: (atMs: number) => Buffer): HashVisitor {
  return ({ siteId, address, userAgent }, atMs) => {
    const digest = createHmac('sha256', keyOf(atMs))
      .update(`${siteId}\n${normalizeAddress(address)}\n${userAgent}`)
      .digest();
    return DAILY_ID_PREFIX + digest.subarray(0, DIGEST_BYTES).toString('base64url');
  };
}

/** Normalizes an address: IPv6 in short form, IPv4 without the `::ffff:` prefix of IPv6 sockets. */
function normalizeAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  return short.replace(/^::ffff:(?=[\d.]+$)/, '');
}

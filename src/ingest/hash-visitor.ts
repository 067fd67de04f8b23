import { createHmac } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';

/** What makes a visitor recognisable without a cookie. */
export type VisitorTraces = {
  readonly siteId: string;
  readonly address: string;
  readonly userAgent: string;
};

/** The id of a visitor for the day of an instant. */
export type HashVisitor = (traces: VisitorTraces, atMs: number) => string;

/** What begins every id of a day, so that it is not mistaken for one that a cookie keeps. */
export const DAILY_ID_PREFIX = 'daily-';

/** 128 bits: no two visitors of a day meet. */
const DIGEST_BYTES = 16;

/**
 * A function that recognises visitors for one day, by a keyed hash of their address, their user
 * agent and the site.
 *
 * - `keyOf` gives the random key of an instant's day; without it nobody can find out whose id it was,
 *   not even by trying every address.
 */
export function createHashVisitor(keyOf: (atMs: number) => Buffer): HashVisitor {
  return ({ siteId, address, userAgent }, atMs) => {
    const digest = createHmac('sha256', keyOf(atMs))
      .update(`${siteId}\n${toOneSpelling(address)}\n${userAgent}`)
      .digest();
    return DAILY_ID_PREFIX + digest.subarray(0, DIGEST_BYTES).toString('base64url');
  };
}

/** An address as it is always spelt: IPv6 in its short form, IPv4 without the prefix of IPv6 sockets. */
function toOneSpelling(address: string): string {
  if (!isIPv6(address)) return address;
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  return short.replace(/^::ffff:(?=[\d.]+$)/, '');
}

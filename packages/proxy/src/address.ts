/** How to find the visitor's address in a request that came through proxies. */
export type AddressOptions = {
  /** Who connected to this server, if the framework knows it: the visitor, or the last proxy. */
  readonly peer?: string | undefined;
  /** A header that your host sets and visitors cannot: `cf-connecting-ip`, `fly-client-ip`, `x-real-ip`. */
  readonly addressHeader?: string | undefined;
  /** How many public proxies, such as a CDN, visitors come through. Default: 0. */
  readonly publicProxies?: number | undefined;
};

/** Addresses of machines behind a proxy, never of visitors on the internet. Source: IANA's special-purpose registries. */
const PRIVATE =
  /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^::1?$|^f[cd]|^fe[89ab]/i;
const LOOPBACK = /^127\.|^::1$/;

/**
 * The visitor's address: in the given header, else the last public one of `X-Forwarded-For` and the peer. In a private network,
 * the last one of another machine. Undefined if there is none.
 *
 * - Why the last: each proxy appends who asked it. What stands before may have been made up by the visitor.
 * - Why a public one: the others are the proxies of your own host, whose place is not the visitor's.
 */
export function addressFrom(
  headers: Pick<Headers, 'get'>,
  { peer, addressHeader, publicProxies = 0 }: AddressOptions = {},
): string | undefined {
  if (addressHeader !== undefined) return toAddress(headers.get(addressHeader)?.split(',')[0]);
  const said = headers.get('x-forwarded-for')?.split(',') ?? [];
  const chain = [...said, peer].map(toAddress).filter((address) => address !== undefined);
  const open = chain.filter((address) => !PRIVATE.test(address));
  if (open.length > 0) return open.at(-1 - publicProxies);
  return chain.filter((address) => !LOOPBACK.test(address)).at(-1) ?? chain.at(-1);
}

/** An address without port, brackets and zone; an IPv4 address as itself. Undefined if it is none: `unknown`. */
function toAddress(text = ''): string | undefined {
  const [, inBrackets] = /^\[([^\]]+)\]/.exec(text.trim()) ?? [];
  const [, withPort] = /^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? withPort ?? text.trim()).replace(/%.*$/, '');
  const short = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  const isAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(short) || /^[\da-f:.]*:[\da-f:.]*$/i.test(short);
  return isAddress ? short : undefined;
}

import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The network that limits count an address by: an IPv4 address itself, or the first 64 bits of an
 * IPv6 address, which one sender usually controls. Strips a port, which some proxies add. Returns
 * invalid addresses unchanged.
 */
export function toNetwork(address: string): string {
  const bare = withoutPort(address).replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined || !isIPv6(bare)) return mapped ?? bare;
  const [head = '', tail] = bare.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

function withoutPort(address: string): string {
  const [, inBrackets] = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? [];
  if (inBrackets !== undefined) return inBrackets;
  const [, beforePort = ''] = /^([^:]+):\d+$/.exec(address) ?? [];
  return isIPv4(beforePort) ? beforePort : address;
}

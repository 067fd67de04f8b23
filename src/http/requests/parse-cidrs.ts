import { isIP } from 'node:net';

/** Parses a list of CIDRs and addresses, separated by commas or spaces. Returns `undefined` if one is invalid. */
export function parseCidrs(text: string): readonly string[] | undefined {
  const cidrs = text.split(/[\s,]+/).filter((cidr) => cidr !== '');
  return cidrs.every(isCidr) ? cidrs : undefined;
}

function isCidr(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  return maxBits !== undefined && Number(bits ?? 0) <= maxBits;
}

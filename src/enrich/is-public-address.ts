import { BlockList, isIP } from 'node:net';
import { addRange, isAmong } from './data-centres.ts';
import { readFactTable } from './fact-table.ts';

const specialAddresses = new BlockList();
for (const { range } of readFactTable('special-addresses.csv', ['range'])) {
  addRange(specialAddresses, range);
}

/** Whether a text is an IP address of the public internet: neither private nor reserved, nor an IPv4 address in disguise. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isAmong(specialAddresses, address);
}

import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';

/** Addresses of machines that nobody browses with, as the operator lists them. */
export interface DataCentres {
  /** How many ranges there are. */
  readonly ranges: number;
  has(address: string): boolean;
}

/**
 * The ranges of a file: one CIDR or address a line; what stands behind a blank, a comma or `#` is
 * a remark. Without a file, none.
 *
 * - Throws with a line that names the setting, the file and the first line that is no range.
 */
export function readDataCentres(path: string | undefined): DataCentres {
  const list = new BlockList();
  const lines = path === undefined ? [] : readLines(path);
  let ranges = 0;
  for (const [index, line] of lines.entries()) {
    const range = /^[^\s,;#]*/.exec(line.trim())?.[0] ?? '';
    if (range === '') continue;
    if (!addRange(list, range)) {
      throw new Error(
        `DATA_CENTRE_RANGES is ${path}, whose line ${index + 1} is no address and no CIDR: ${range.slice(0, 100)}.`,
      );
    }
    ranges += 1;
  }
  return {
    ranges,
    has: (address) => isAmong(list, address),
  };
}

/** Whether the text is an address in one of the ranges. */
export function isAmong(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`DATA_CENTRE_RANGES is ${path}, which cannot be read: ${reason}.`);
  }
}

/** Adds an address or a CIDR; false when the text is neither. */
export function addRange(list: BlockList, range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  const max = family === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= max)) return false;
  list.addSubnet(address, Number(bits ?? max), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

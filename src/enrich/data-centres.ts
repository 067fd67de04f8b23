import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';

/** IP ranges of data centres, as configured by the operator. */
export interface DataCentres {
  /** Number of ranges. */
  readonly ranges: number;
  has(address: string): boolean;
}

/**
 * Reads the ranges of a file: one CIDR range or IP address per line. Text after a space, comma or `#` is
 * a comment. Without a file, there are no ranges.
 *
 * - Throws with a message that names the setting, the file and the first invalid line.
 */
export function readDataCentres(path: string | undefined): DataCentres {
  const list = new BlockList();
  const lines = path === undefined ? [] : readLines(path);
  let ranges = 0;
  for (const [index, line] of lines.entries()) {
    const range = /^[^\s,;#]*/.exec(line.trim())?.[0] ?? '';
    if (range === '') continue;
    if (!addRange(list, range)) {
      const what = `line ${index + 1} is neither an IP address nor a CIDR range`;
      throw new Error(`DATA_CENTRE_RANGES (${path}): ${what}: ${range.slice(0, 100)}.`);
    }
    ranges += 1;
  }
  return { ranges, has: (address) => isAmong(list, address) };
}

/** Whether a text is an IP address in one of the ranges. */
export function isAmong(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`DATA_CENTRE_RANGES (${path}) cannot be read: ${reason}.`);
  }
}

/** Parses a list of CIDR ranges and IP addresses, separated by commas or spaces; `undefined` if one is invalid. */
export function parseCidrs(text: string): readonly string[] | undefined {
  const ranges = text.split(/[\s,]+/).filter((range) => range !== '');
  return ranges.every((range) => addRange(new BlockList(), range)) ? ranges : undefined;
}

/** Adds an IP address or a CIDR range. Returns false if the text is neither. */
export function addRange(list: BlockList, range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  const max = family === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= max)) return false;
  list.addSubnet(address, Number(bits ?? max), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

import type { Place } from '#enrich/places/place.ts';

/** Types of values in MaxMind's format, as the upper three bits of their first byte. */
const [POINTER, TEXT, UINT16, UINT32, MAP] = [1, 2, 5, 6, 7].map((type) => type << 5) as [
  ...[number, number, number, number, number],
];

/** Comes before the metadata at the end of a file. */
const MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/**
 * The data of a location database: each place once, and each text once.
 *
 * Source: https://maxmind.github.io/MaxMind-DB/#output-data-section
 */
export function createRecords() {
  const parts: Buffer[] = [];
  const offsets = new Map<string, number>();
  let length = 0;

  /** Where the value with this key begins. */
  function addOnce(key: string, encode: () => Buffer): number {
    return offsets.getOrInsertComputed(key, () => {
      const bytes = encode(); // May add other values first.
      const offset = length;
      parts.push(bytes);
      length += bytes.length;
      return offset;
    });
  }
  const addText = (text: string) => addOnce(text, () => toText(text));

  return {
    /** Adds a place, unless it is there. Returns the offset of its record. */
    add({ country, region, city }: Place): number {
      return addOnce(`\0${country}\0${region}\0${city}`, () => {
        const members = Object.entries({ country_code: country, state1: region, city })
          .filter(([, text]) => text !== '')
          .flatMap(([name, text]) => [toPointer(addText(name)), toPointer(addText(text))]);
        return Buffer.concat([head(MAP, members.length / 2), ...members]);
      });
    },
    toBytes: () => Buffer.concat(parts),
    /** The metadata, with their mark. */
    describe(metadata: Readonly<Record<string, string | number>>): Buffer {
      const members = Object.entries(metadata).flatMap(([name, value]) => [
        toText(name),
        typeof value === 'string' ? toText(value) : toNumber(value),
      ]);
      return Buffer.concat([MARK, head(MAP, members.length / 2), ...members]);
    },
  };
}

/** The first byte, and one more for a size from 29 on. */
function head(type: number, size: number): Buffer {
  if (size < 29) return Buffer.from([type | size]);
  if (size >= 285) throw new Error(`a value of ${size} bytes is no name of a place`);
  return Buffer.from([type | 29, size - 29]);
}

function toText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([head(TEXT, bytes.length), bytes]);
}

function toNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return value < 2 ** 16
    ? Buffer.concat([head(UINT16, 2), bytes.subarray(2)])
    : Buffer.concat([head(UINT32, 4), bytes]);
}

/** Points to a value by its offset: the nearer the start of the data, the shorter. */
function toPointer(offset: number): Buffer {
  const sizes = [
    { bits: 11, from: 0 },
    { bits: 19, from: 2_048 },
    { bits: 27, from: 526_336 },
  ];
  const index = sizes.findIndex(({ bits, from }) => offset < from + 2 ** bits);
  const { bits, from } = sizes[index] ?? {};
  if (bits === undefined || from === undefined) throw new Error('the data are too long');
  const value = offset - from;
  const low = bits - 3;
  const bytes = Buffer.alloc(1 + low / 8);
  bytes[0] = POINTER | (index << 3) | Math.floor(value / 2 ** low);
  bytes.writeUIntBE(value % 2 ** low, 1, low / 8);
  return bytes;
}

import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress } from 'node:zlib';

/** Events that went to the warehouse together, as the archive keeps them. */
export type ArchivedShipment = {
  /** The token of its insert: the same for a shipment that was repeated after a crash. */
  readonly token: string;
  readonly rows: number;
  /** Newline-delimited JSON. */
  readonly lines: Buffer;
};

/** What stands before the lines of each shipment. */
export type ArchiveHeader = {
  readonly token: string;
  readonly rows: number;
  /** Of the compressed lines that follow. */
  readonly sizeBytes: number;
};

/** Bytes before the header's own text: magic number, length and checksum. */
export const FIXED_BYTES = 12;

/** A skippable frame of the zstd format: any zstd tool passes over it and shows the lines alone. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAGIC_BYTES = 4;
const MAGIC = Buffer.alloc(MAGIC_BYTES);
MAGIC.writeUInt32LE(SKIPPABLE_MAGIC);
const CRC_BYTES = 4;
const HEADER_MAX_BYTES = 4_096;

/** What a header takes at most, its fixed bytes among it. */
export const WHOLE_HEADER_MAX_BYTES = FIXED_BYTES + HEADER_MAX_BYTES;

/** Level 1 takes 2 ms a megabyte of events, and for such lines no higher one made less of them. */
const ZSTD_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * The bytes of one shipment in the archive: a header in a skippable frame, and the lines in a frame
 * with a checksum.
 *
 * - Source: RFC 8878, sections 3.1.1 and 3.1.2.
 */
export async function toArchiveFrame({ token, rows, lines }: ArchivedShipment): Promise<Buffer> {
  const compressed = await compress(lines, ZSTD_OPTIONS);
  const header: ArchiveHeader = { token, rows, sizeBytes: compressed.length };
  const text = Buffer.from(JSON.stringify(header));
  const fixed = Buffer.alloc(FIXED_BYTES);
  fixed.writeUInt32LE(SKIPPABLE_MAGIC, 0);
  fixed.writeUInt32LE(CRC_BYTES + text.length, 4);
  fixed.writeUInt32LE(crc32(text), 8);
  return Buffer.concat([fixed, text, compressed]);
}

/** The length of the header's text, from its fixed bytes; `undefined` when they are no header. */
export function parseHeaderLength(fixed: Buffer): number | undefined {
  if (fixed.length < FIXED_BYTES || fixed.readUInt32LE(0) !== SKIPPABLE_MAGIC) return undefined;
  const length = fixed.readUInt32LE(4) - CRC_BYTES;
  return length > 0 && length <= HEADER_MAX_BYTES ? length : undefined;
}

/** The header, from its fixed bytes and its text; `undefined` when its checksum is wrong. */
export function parseHeader(fixed: Buffer, text: Buffer): ArchiveHeader | undefined {
  if (crc32(text) !== fixed.readUInt32LE(8)) return undefined;
  return JSON.parse(text.toString()) as ArchiveHeader;
}

/**
 * Where a header may begin in these bytes, from `from` on; -1 when nowhere.
 *
 * Why that is no proof: compressed lines may hold the magic number by chance. Whether it is a header
 * is what its checksum says.
 */
export function indexOfMagic(bytes: Buffer, from: number): number {
  return bytes.indexOf(MAGIC, from);
}

/** Whether the rest of a file is the beginning of a header, as a crash leaves it. */
export function isHeaderCutOff(rest: Buffer): boolean {
  if (rest.length < FIXED_BYTES) {
    return MAGIC.subarray(0, rest.length).equals(rest.subarray(0, MAGIC_BYTES));
  }
  const length = parseHeaderLength(rest);
  return length !== undefined && rest.length < FIXED_BYTES + length;
}

/** The lines of a shipment. Throws when they are damaged. */
export function unpackLines(compressed: Buffer): Promise<Buffer> {
  return decompress(compressed);
}

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

/** Where a part of a file begins, and where the next one does. */
type Place = { readonly from: number; readonly endsAt: number };

/** A shipment in its file; its lines are unpacked when they are wanted. */
export type ArchiveEntry = Place & {
  readonly kind: 'shipment';
  readonly token: string;
  readonly rows: number;
  /** Throws when the lines are damaged. */
  readLines(): Promise<Buffer>;
};

/** Bytes between sound headers, or at the end, that are no shipment any more. */
export type DamagedBytes = Place & { readonly kind: 'damaged' };

/** The beginning of a shipment that a crash left, which is repeated in another file. */
export type TornEnd = Place & {
  readonly kind: 'torn';
  /** Unknown when its header is torn too. */
  readonly token: string | undefined;
};

/** A part of a file of the archive. The parts of a file are all of its bytes. */
export type ArchivePart = ArchiveEntry | DamagedBytes | TornEnd;

/** A skippable frame of the zstd format: any zstd tool passes over it and shows the lines alone. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAGIC = Buffer.alloc(4);
MAGIC.writeUInt32LE(SKIPPABLE_MAGIC);
/** Magic number, length and checksum, before the header's own text. */
const FIXED_BYTES = 12;
const CRC_BYTES = 4;
const HEADER_MAX_BYTES = 4_096;

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
  const text = Buffer.from(JSON.stringify({ token, rows, sizeBytes: compressed.length }));
  const fixed = Buffer.alloc(FIXED_BYTES);
  fixed.writeUInt32LE(SKIPPABLE_MAGIC, 0);
  fixed.writeUInt32LE(CRC_BYTES + text.length, 4);
  fixed.writeUInt32LE(crc32(text), 8);
  return Buffer.concat([fixed, text, compressed]);
}

/**
 * The parts of a file of the archive, given its bytes.
 *
 * - Shape: behind damaged bytes it goes on with the next header whose checksum is right, so that
 *   damage costs the shipments that it touches and no other.
 */
export function* toParts(bytes: Buffer): Generator<ArchivePart> {
  for (let at = 0; at < bytes.length; ) {
    const part = partAt(bytes, at);
    yield part;
    at = part.endsAt;
  }
}

function partAt(bytes: Buffer, at: number): ArchivePart {
  const entry = findEntry(bytes, at);
  const next = findNextEntry(bytes, at + 1);
  // A shipment that lost bytes would take the beginning of the next one for its own.
  if (entry !== undefined && entry.endsAt <= (next ?? bytes.length)) return entry;
  if (next !== undefined) return { kind: 'damaged', from: at, endsAt: next };
  const isTorn = entry !== undefined || isHeaderCutOff(bytes.subarray(at));
  const place = { from: at, endsAt: bytes.length };
  return isTorn ? { kind: 'torn', token: entry?.token, ...place } : { kind: 'damaged', ...place };
}

/** Where the next sound header begins. Compressed lines may hold its magic number by chance. */
function findNextEntry(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(MAGIC, from); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    if (findEntry(bytes, at) !== undefined) return at;
  }
  return undefined;
}

/** The shipment whose header is at this place, if one is there and its checksum is right. */
function findEntry(bytes: Buffer, at: number): ArchiveEntry | undefined {
  const length = headerLengthOf(bytes.subarray(at));
  const linesAt = at + FIXED_BYTES + (length ?? 0);
  const text = bytes.subarray(at + FIXED_BYTES, linesAt);
  if (text.length !== length || crc32(text) !== bytes.readUInt32LE(at + 8)) return undefined;
  const { token, rows, sizeBytes } = JSON.parse(text.toString());
  const endsAt = linesAt + sizeBytes;
  const readLines = () => decompress(bytes.subarray(linesAt, endsAt));
  return { kind: 'shipment', token, rows, from: at, endsAt, readLines };
}

/** The length of the text of the header that the bytes begin with; `undefined` when it is none. */
function headerLengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < FIXED_BYTES || bytes.readUInt32LE(0) !== SKIPPABLE_MAGIC) return undefined;
  const length = bytes.readUInt32LE(4) - CRC_BYTES;
  return length > 0 && length <= HEADER_MAX_BYTES ? length : undefined;
}

/** Whether the rest of a file is the beginning of a header, as a crash leaves it. */
function isHeaderCutOff(rest: Buffer): boolean {
  if (rest.length < FIXED_BYTES) {
    return MAGIC.subarray(0, rest.length).equals(rest.subarray(0, MAGIC.length));
  }
  const length = headerLengthOf(rest);
  return length !== undefined && rest.length < FIXED_BYTES + length;
}

import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress } from 'node:zlib';
import { assert } from '#domain/assert.ts';

/** A shipment in the archive: events that were inserted into the warehouse together. */
export type ArchivedShipment = {
  /** The deduplication token of its insert. A shipment repeated after a crash has the same one. */
  readonly token: string;
  readonly rows: number;
  /** Newline-delimited JSON. */
  readonly lines: Buffer;
};

/** The start of a part, and of the next one. */
type Place = { readonly from: number; readonly endsAt: number };

/** A shipment in a file. Its lines are decompressed on demand. */
export type ArchiveEntry = Place & {
  readonly kind: 'shipment';
  readonly token: string;
  readonly rows: number;
  /** Throws if the lines are damaged. */
  readLines(): Promise<Buffer>;
};

/**
 * A part of an archive file: a shipment, damaged bytes, or a shipment torn by a crash, which is repeated in
 * another file. The parts cover all bytes of the file.
 */
export type ArchivePart =
  | ArchiveEntry
  | (Place & { readonly kind: 'damaged' })
  /** The token is undefined if the header is torn too. */
  | (Place & { readonly kind: 'torn'; readonly token: string | undefined });

/**
 * The start of each header: the magic number and length of a skippable zstd frame. Any zstd tool skips it
 * and outputs only the lines.
 */
const OPENING = Buffer.from(Uint32Array.of(0x184d2a50, 132).buffer);
/** A checksum and a text of fixed length follow. */
const TEXT_AT = OPENING.length + 4;
const TEXT_BYTES = 128;
const HEADER_BYTES = TEXT_AT + TEXT_BYTES;

/** Level 1 takes 2 ms per megabyte of events. Higher levels did not compress such lines better. */
const ZSTD_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Encodes a shipment: a header, and its lines in a frame with a checksum. Source: RFC 8878, 3.1.1 and 3.1.2. */
export async function toArchiveFrame({ token, rows, lines }: ArchivedShipment): Promise<Buffer> {
  const compressed = await compress(lines, ZSTD_OPTIONS);
  const header = JSON.stringify({ token, rows, sizeBytes: compressed.length });
  assert(Buffer.byteLength(header) <= TEXT_BYTES, 'a header has room for its token');
  const text = Buffer.from(header.padEnd(TEXT_BYTES));
  return Buffer.concat([OPENING, toBytes(crc32(text)), text, compressed]);
}

/**
 * Splits the bytes of an archive file into parts.
 *
 * - Shape: after damaged bytes, it resumes at the next valid header. Damage therefore costs only the
 *   shipments that it touches.
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
  // A shipment that lost bytes would overlap the next one.
  if (entry !== undefined && entry.endsAt <= (next ?? bytes.length)) return entry;
  if (next !== undefined) return { kind: 'damaged', from: at, endsAt: next };
  // Torn by a crash: the lines or the header are truncated.
  const rest = bytes.subarray(at);
  const isHeaderCutOff =
    rest.length < HEADER_BYTES && OPENING.indexOf(rest.subarray(0, OPENING.length)) === 0;
  const place = { from: at, endsAt: bytes.length };
  if (entry === undefined && !isHeaderCutOff) return { kind: 'damaged', ...place };
  return { kind: 'torn', token: entry?.token, ...place };
}

/** Finds the next valid header. Compressed lines may contain its opening by chance. */
function findNextEntry(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(OPENING, from); at >= 0; at = bytes.indexOf(OPENING, at + 1)) {
    if (findEntry(bytes, at) !== undefined) return at;
  }
  return undefined;
}

/** The shipment whose header is at this position, if there is one with a right checksum. */
function findEntry(bytes: Buffer, at: number): ArchiveEntry | undefined {
  const linesAt = at + HEADER_BYTES;
  const text = bytes.subarray(at + TEXT_AT, linesAt);
  const expected = Buffer.concat([OPENING, toBytes(crc32(text))]);
  if (linesAt > bytes.length || !expected.equals(bytes.subarray(at, at + TEXT_AT)))
    return undefined;
  const { token, rows, sizeBytes } = JSON.parse(text.toString());
  const endsAt = linesAt + sizeBytes;
  const readLines = () => decompress(bytes.subarray(linesAt, endsAt));
  return { kind: 'shipment', token, rows, from: at, endsAt, readLines };
}

/** A number as four little-endian bytes. */
function toBytes(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer);
}

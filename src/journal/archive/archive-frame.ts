import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress } from 'node:zlib';
import { assert } from '#domain/assert.ts';

/** Events that went to the warehouse together, as the archive keeps them. */
export type ArchivedShipment = {
  /** The token of its insert: the same for a shipment that was repeated after a crash. */
  readonly token: string;
  readonly rows: number;
  /** Newline-delimited JSON. */
  readonly lines: Buffer;
};

/** Where a part begins, and where the next one does. */
type Place = { readonly from: number; readonly endsAt: number };

/** A shipment in its file; its lines are unpacked when they are wanted. */
export type ArchiveEntry = Place & {
  readonly kind: 'shipment';
  readonly token: string;
  readonly rows: number;
  /** Throws when the lines are damaged. */
  readLines(): Promise<Buffer>;
};

/**
 * A part of a file of the archive: a shipment, bytes that are none any more, or the beginning of one that a crash
 * left, which is repeated in another file. The parts of a file are all of its bytes.
 */
export type ArchivePart =
  | ArchiveEntry
  | (Place & { readonly kind: 'damaged' })
  /** The token is unknown when the header is torn too. */
  | (Place & { readonly kind: 'torn'; readonly token: string | undefined });

/**
 * How each header begins: the magic number and the length of a skippable frame of the zstd format. Any zstd
 * tool passes over it and shows the lines alone.
 */
const OPENING = Buffer.from(Uint32Array.of(0x184d2a50, 132).buffer);
/** A checksum and a text of one length follow. */
const TEXT_AT = OPENING.length + 4;
const TEXT_BYTES = 128;
const HEADER_BYTES = TEXT_AT + TEXT_BYTES;

/** Level 1 takes 2 ms a megabyte of events, and for such lines no higher one made less of them. */
const ZSTD_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A shipment's header, and its lines in a frame with a checksum. Source: RFC 8878, sections 3.1.1 and 3.1.2. */
export async function toArchiveFrame({ token, rows, lines }: ArchivedShipment): Promise<Buffer> {
  const compressed = await compress(lines, ZSTD_OPTIONS);
  const header = JSON.stringify({ token, rows, sizeBytes: compressed.length });
  assert(Buffer.byteLength(header) <= TEXT_BYTES, 'a header has room for its token');
  const text = Buffer.from(header.padEnd(TEXT_BYTES));
  return Buffer.concat([OPENING, toBytes(crc32(text)), text, compressed]);
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
  // As a crash leaves it: its lines are cut off, or its header is.
  const rest = bytes.subarray(at);
  const isHeaderCutOff =
    rest.length < HEADER_BYTES && OPENING.indexOf(rest.subarray(0, OPENING.length)) === 0;
  const place = { from: at, endsAt: bytes.length };
  if (entry === undefined && !isHeaderCutOff) return { kind: 'damaged', ...place };
  return { kind: 'torn', token: entry?.token, ...place };
}

/** Where the next sound header begins. Compressed lines may hold its opening by chance. */
function findNextEntry(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(OPENING, from); at >= 0; at = bytes.indexOf(OPENING, at + 1)) {
    if (findEntry(bytes, at) !== undefined) return at;
  }
  return undefined;
}

/** The shipment whose header is at this place, if one is there and its checksum is right. */
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

/** The four bytes of a number, the lowest first. */
function toBytes(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer);
}

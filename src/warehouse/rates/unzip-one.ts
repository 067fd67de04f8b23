import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const SIZE_MAX_BYTES = 100_000_000;

/**
 * Extracts the first file of a ZIP archive.
 *
 * - Throws if the bytes are not a ZIP archive, or use a feature that the ECB does not use.
 * - Source: APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
 */
export function unzipOne(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(bytesOf(END_OF_DIRECTORY));
  if (end < 0) throw new Error('the file is not a complete ZIP archive');
  const entry = zip.readUInt32LE(end + 16);
  if (zip.readUInt32LE(entry) !== DIRECTORY_ENTRY) throw new Error('the ZIP directory is damaged');
  const method = zip.readUInt16LE(entry + 10);
  const packedBytes = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + packedBytes);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Error('the ZIP compression method is not supported');
  return inflateRawSync(packed, { maxOutputLength: SIZE_MAX_BYTES });
}

function bytesOf(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}

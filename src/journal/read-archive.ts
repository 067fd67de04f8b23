import { existsSync, globSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FIXED_BYTES, parseHeader, parseHeaderLength, unpackLines } from './archive-frame.ts';

/** A file of the archive; its path is relative to the archive's folder. */
export type ArchiveFile = { readonly path: string; readonly sizeBytes: number };

/** A shipment's place in its file; its lines are read when they are wanted. */
export type ArchiveEntry = {
  readonly token: string;
  readonly rows: number;
  /** Where the next one begins. */
  readonly endsAt: number;
  /** Throws when the lines are damaged. */
  readLines(): Promise<Buffer>;
};

/** The archive's files, oldest day first. */
export function listArchive(folder: string): ArchiveFile[] {
  if (!existsSync(folder)) return [];
  return globSync('*/*.ndjson.zst', { cwd: folder })
    .toSorted()
    .map((path) => ({ path, sizeBytes: statSync(join(folder, path)).size }));
}

/**
 * The shipments of the archive's file at `path`, from the byte `from` on.
 *
 * - Shape: it ends at the first frame that is not whole. A crash leaves one at the end of a file,
 *   and its shipment is repeated in another; one in the middle is damage.
 */
export async function* readArchiveFile(path: string, from: number): AsyncGenerator<ArchiveEntry> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let at = from; ; ) {
      const entry = await readEntry(file, at);
      if (entry === undefined || entry.endsAt > size) return;
      yield entry;
      at = entry.endsAt;
    }
  } finally {
    await file.close();
  }
}

async function readEntry(file: FileHandle, at: number): Promise<ArchiveEntry | undefined> {
  const fixed = await readBytes(file, at, FIXED_BYTES);
  const length = parseHeaderLength(fixed);
  if (length === undefined) return undefined;
  const text = await readBytes(file, at + FIXED_BYTES, length);
  const header = text.length === length ? parseHeader(fixed, text) : undefined;
  if (header === undefined) return undefined;
  const { token, rows, sizeBytes } = header;
  const linesAt = at + FIXED_BYTES + length;
  return {
    token,
    rows,
    endsAt: linesAt + sizeBytes,
    readLines: async () => unpackLines(await readBytes(file, linesAt, sizeBytes)),
  };
}

async function readBytes(file: FileHandle, at: number, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count);
  const { bytesRead } = await file.read(buffer, 0, count, at);
  return buffer.subarray(0, bytesRead);
}

import { existsSync, globSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FIXED_BYTES,
  indexOfMagic,
  isHeaderCutOff,
  parseHeader,
  parseHeaderLength,
  unpackLines,
  WHOLE_HEADER_MAX_BYTES,
} from './archive-frame.ts';

/** A file of the archive; its path is relative to the archive's folder. */
export type ArchiveFile = { readonly path: string; readonly sizeBytes: number };

/** A shipment's place in its file; its lines are read when they are wanted. */
export type ArchiveEntry = {
  readonly kind: 'shipment';
  readonly token: string;
  readonly rows: number;
  readonly from: number;
  /** Where the next part begins. */
  readonly endsAt: number;
  /** Throws when the lines are damaged. */
  readLines(): Promise<Buffer>;
};

/** Bytes between sound headers, or at the end, that are no shipment any more. */
export type DamagedBytes = {
  readonly kind: 'damaged';
  readonly from: number;
  readonly endsAt: number;
};

/** The beginning of a shipment that a crash left, which is repeated in another file. */
export type TornEnd = {
  readonly kind: 'torn';
  /** Unknown when its header is torn too. */
  readonly token: string | undefined;
  readonly from: number;
  readonly endsAt: number;
};

/** A part of a file of the archive. The parts of a file are all of its bytes. */
export type ArchivePart = ArchiveEntry | DamagedBytes | TornEnd;

/** How much of a damaged file is searched at a time. */
const SEARCHED_BYTES = 65_536;

/** The archive's files, oldest day first. */
export function listArchive(folder: string): ArchiveFile[] {
  if (!existsSync(folder)) return [];
  return globSync('*/*.ndjson.zst', { cwd: folder })
    .toSorted()
    .flatMap((path) => {
      // Retention may have let it go just now.
      const found = statSync(join(folder, path), { throwIfNoEntry: false });
      return found === undefined ? [] : [{ path, sizeBytes: found.size }];
    });
}

/**
 * The parts of the archive's file at `path`, from the byte `from` on.
 *
 * - Shape: behind damaged bytes it goes on with the next header whose checksum is right, so that
 *   damage costs the shipments that it touches and no other. It ends where the file ended when it was
 *   opened: what is written meanwhile is left out.
 */
export async function* readArchiveFile(path: string, from: number): AsyncGenerator<ArchivePart> {
  const file = await open(path, 'r');
  try {
    const opened = { file, size: (await file.stat()).size };
    for (let at = from; at < opened.size; ) {
      const part = await readPart(opened, at);
      yield part;
      at = part.endsAt;
    }
  } finally {
    await file.close();
  }
}

/**
 * The same for who counts or copies what there is: from where the disk does not give its bytes, the
 * rest of the file is damaged.
 *
 * - Throws when there is no such file.
 * - Why not for all: who erases may not be done while bytes may be readable again tomorrow.
 */
export async function* readWhatIsReadable(path: string, from: number): AsyncGenerator<ArchivePart> {
  let at = from;
  try {
    for await (const part of readArchiveFile(path, from)) {
      at = part.endsAt;
      yield part;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOENT') throw error;
    yield { kind: 'damaged', from: at, endsAt: Math.max(at, statSync(path).size) };
  }
}

/** A file and where it ended then. */
type OpenedFile = { readonly file: FileHandle; readonly size: number };

async function readPart(file: OpenedFile, at: number): Promise<ArchivePart> {
  const { size } = file;
  const entry = await readEntry(file, at);
  const fits = entry !== undefined && entry.endsAt <= size;
  if (fits && (await isHeaderOrEnd(file, entry.endsAt))) return entry;
  const next = await findHeader(file, at + 1);
  // Whose bytes are lost in part would else take the beginning of the next for its own.
  if (fits && (next ?? size) >= entry.endsAt) return entry;
  if (next !== undefined) return { kind: 'damaged', from: at, endsAt: next };
  const isTorn =
    entry !== undefined || isHeaderCutOff(await readBytes(file, at, WHOLE_HEADER_MAX_BYTES));
  if (isTorn) return { kind: 'torn', token: entry?.token, from: at, endsAt: size };
  return { kind: 'damaged', from: at, endsAt: size };
}

/** Whether the file goes on as it does behind a whole shipment. */
async function isHeaderOrEnd(file: OpenedFile, at: number): Promise<boolean> {
  return at === file.size || indexOfMagic(await readBytes(file, at, FIXED_BYTES), 0) === 0;
}

/** Where the next sound header begins. */
async function findHeader(file: OpenedFile, from: number): Promise<number | undefined> {
  // Each search overlaps the next by a fixed part, so that no header is missed between them.
  for (let at = from; at < file.size; at += SEARCHED_BYTES - FIXED_BYTES) {
    const bytes = await readBytes(file, at, SEARCHED_BYTES);
    for (let index = indexOfMagic(bytes, 0); index >= 0; index = indexOfMagic(bytes, index + 1)) {
      if ((await readEntry(file, at + index)) !== undefined) return at + index;
    }
  }
  return undefined;
}

async function readEntry(file: OpenedFile, at: number): Promise<ArchiveEntry | undefined> {
  const fixed = await readBytes(file, at, FIXED_BYTES);
  const length = parseHeaderLength(fixed);
  if (length === undefined) return undefined;
  const text = await readBytes(file, at + FIXED_BYTES, length);
  const header = text.length === length ? parseHeader(fixed, text) : undefined;
  if (header === undefined) return undefined;
  const { token, rows, sizeBytes } = header;
  const linesAt = at + FIXED_BYTES + length;
  return {
    kind: 'shipment',
    token,
    rows,
    from: at,
    endsAt: linesAt + sizeBytes,
    readLines: async () => unpackLines(await readBytes(file, linesAt, sizeBytes)),
  };
}

async function readBytes({ file, size }: OpenedFile, at: number, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, Math.min(count, size - at)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
  return buffer.subarray(0, bytesRead);
}

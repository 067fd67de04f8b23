import { createReadStream, existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ArchivePart, toParts } from './archive-frame.ts';

/** A file of the archive; its path is relative to the archive's folder. */
export type ArchiveFile = { readonly path: string; readonly sizeBytes: number };

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
 * The parts of the archive's file at `path`. What is written meanwhile may be left out. From where the disk does not
 * give its bytes, the rest of the file is damaged; an erasure, which must not pass over such bytes, does not use this.
 *
 * - Throws when there is no such file.
 */
export async function* readArchiveFile(path: string): AsyncGenerator<ArchivePart> {
  const pieces: Buffer[] = [];
  let isCut = false;
  try {
    for await (const piece of createReadStream(path)) pieces.push(piece);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOENT') throw error;
    isCut = true;
  }
  let at = 0;
  for (const part of toParts(Buffer.concat(pieces))) {
    if (isCut && part.kind === 'torn') break;
    at = part.endsAt;
    yield part;
  }
  if (isCut) yield { kind: 'damaged', from: at, endsAt: Math.max(at, statSync(path).size) };
}

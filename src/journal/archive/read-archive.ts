import { createReadStream, existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ArchivePart, toParts } from './archive-frame.ts';

type ArchiveFile = { readonly path: string; readonly sizeBytes: number };

/** The archive's files, oldest day first. */
export function listArchive(folder: string): ArchiveFile[] {
  if (!existsSync(folder)) return [];
  return globSync('*/*.ndjson.zst', { cwd: folder })
    .toSorted()
    .flatMap((path) => {
      // Retention may have just removed it.
      const found = statSync(join(folder, path), { throwIfNoEntry: false });
      return found === undefined ? [] : [{ path, sizeBytes: found.size }];
    });
}

/**
 * Reads the parts of an archive file. Concurrent writes may be left out. After a read error, the rest of the
 * file counts as damaged. Erasures do not use this function, because they must not skip such bytes.
 *
 * - Throws if the file does not exist.
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

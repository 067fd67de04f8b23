import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ArchivePart } from '#journal/archive/archive-frame.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';

/** A shipment read from the archive, with its lines. */
type ReadShipment = {
  readonly token: string;
  readonly rows: number;
  readonly lines: Buffer;
};

/** Unreadable places in the archive, by the file's path relative to the archive's folder. */
export type Damage = Map<string, { places: number; bytes: number }>;

/**
 * Yields each shipment of the archive once, even if the archive holds it twice. Damaged or
 * unreadable bytes are skipped and added to `damage`.
 *
 * - `startProgress` returns the function that reports how many bytes were read.
 * - A file that retention removes in the meantime is skipped.
 */
export async function* readShipments(
  folder: string,
  startProgress: (total: number, of: string) => (passed: number) => void,
  damage: Damage = new Map(),
): AsyncGenerator<ReadShipment> {
  const files = listArchive(folder);
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const showProgress = startProgress(totalBytes, 'bytes of the archive');
  const seen = openSeenTokens();
  let earlierBytes = 0;
  try {
    for (const { path, sizeBytes } of files) {
      for await (const part of readParts(join(folder, path))) {
        const shipment = await readShipment(part);
        if (shipment !== undefined && seen.add(shipment.token)) yield shipment;
        if (shipment === undefined && part.kind !== 'torn') noteDamage(damage, path, part);
        showProgress(earlierBytes + Math.min(part.endsAt, sizeBytes));
      }
      earlierBytes += sizeBytes;
      showProgress(earlierBytes);
    }
  } finally {
    seen.close();
  }
}

async function* readParts(path: string): AsyncGenerator<ArchivePart> {
  try {
    yield* readArchiveFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Returns `undefined` if the part is not a shipment, or its lines are damaged. */
async function readShipment(part: ArchivePart): Promise<ReadShipment | undefined> {
  if (part.kind !== 'shipment') return undefined;
  const lines = await part.readLines().catch(() => undefined);
  return lines && { token: part.token, rows: part.rows, lines };
}

function noteDamage(damage: Damage, path: string, { from, endsAt }: ArchivePart): void {
  const ofFile = damage.getOrInsertComputed(path, () => ({ places: 0, bytes: 0 }));
  ofFile.places += 1;
  ofFile.bytes += endsAt - from;
}

/** Uses a temporary SQLite file, because years of tokens may not fit into memory. */
function openSeenTokens() {
  const db = new DatabaseSync('');
  db.exec(`
    PRAGMA journal_mode = OFF;
    CREATE TABLE seen (token TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    BEGIN`);
  const add = db.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  return {
    /** Returns whether the token is new. */
    add: (token: string) => add.run(token).changes === 1,
    close: () => db.close(),
  };
}

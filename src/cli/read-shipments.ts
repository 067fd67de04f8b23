import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ArchivePart } from '#journal/archive/archive-frame.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';

/** A shipment of the archive with its lines. */
export type ReadShipment = {
  readonly token: string;
  readonly rows: number;
  readonly lines: Buffer;
};

/** Places of the archive that cannot be read, by the file's path below the archive's folder. */
export type Damage = Map<string, { places: number; bytes: number }>;

/**
 * Every shipment of the archive once, although it may hold one twice. Bytes that are damaged or
 * cannot be read are left out and added to `damage`.
 *
 * - `startProgress` makes the function that shows how many bytes were read.
 * - A file that retention removes meanwhile is passed over.
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

/** `undefined` when the part is no shipment, or one whose lines are damaged. */
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

/** Why a temporary file of SQLite's own: the tokens of years do not fit into memory with ease. */
function openSeenTokens() {
  const db = new DatabaseSync('');
  db.exec(`
    PRAGMA journal_mode = OFF;
    CREATE TABLE seen (token TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    BEGIN`);
  const add = db.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  return {
    /** Whether it is new. */
    add: (token: string) => add.run(token).changes === 1,
    close: () => db.close(),
  };
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type EventHead, readEventHeads } from '#contract/event-heads.ts';
import {
  type ArchiveEntry,
  type ArchiveFile,
  type ArchivePart,
  readWhatIsReadable,
} from '#journal/read-archive.ts';

/** What of the archive is read, and who hears of it. */
export type TallyArchiveOptions = {
  readonly folder: string;
  readonly files: readonly ArchiveFile[];
  /** Told of every event of every shipment once. */
  onEvent(event: EventHead): void;
  /** Told how many bytes are read. */
  onBytes(done: number): void;
};

/** A file of the archive in which bytes cannot be read. */
export type DamagedFile = {
  /** Relative to the archive's folder. */
  readonly path: string;
  readonly places: number;
  readonly bytes: number;
};

/**
 * Reads the events of the archive as a rebuild would take them: a shipment that stands there twice
 * counts once, what is damaged or cannot be read is left out. Answers in which files that is.
 *
 * - Shape: a file that is let go meanwhile is passed over.
 */
export async function tallyArchive(options: TallyArchiveOptions): Promise<DamagedFile[]> {
  const seen = openSeenTokens();
  const damaged: DamagedFile[] = [];
  let earlierBytes = 0;
  try {
    for (const { path, sizeBytes } of options.files) {
      const bad: ArchivePart[] = [];
      for await (const part of partsOf(join(options.folder, path))) {
        if (part.kind === 'damaged') bad.push(part);
        else if (part.kind === 'shipment' && !(await takeOnce(part, seen, options))) bad.push(part);
        options.onBytes(earlierBytes + Math.min(part.endsAt, sizeBytes));
      }
      const bytes = bad.reduce((sum, { from, endsAt }) => sum + endsAt - from, 0);
      if (bad.length > 0) damaged.push({ path, places: bad.length, bytes });
      earlierBytes += sizeBytes;
    }
    return damaged;
  } finally {
    seen.close();
  }
}

async function* partsOf(path: string): AsyncGenerator<ArchivePart> {
  try {
    yield* readWhatIsReadable(path, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** False when its lines are damaged. */
async function takeOnce(
  shipment: ArchiveEntry,
  seen: SeenTokens,
  { onEvent }: TallyArchiveOptions,
): Promise<boolean> {
  const lines = await shipment.readLines().catch(() => undefined);
  if (lines === undefined) return false;
  if (seen.add(shipment.token)) for (const event of readEventHeads(lines)) onEvent(event);
  return true;
}

type SeenTokens = ReturnType<typeof openSeenTokens>;

/** Why a temporary file of SQLite's own: years of shipments are more than fits into memory with ease. */
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

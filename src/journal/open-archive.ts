import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ArchivedShipment, toArchiveFrame } from './archive-frame.ts';
import { createUnarchivedSearch } from './find-unarchived.ts';
import { keepAgainFrom, raiseKeptFrom } from './kept-from.ts';

/** Where shipped events are kept, so that the warehouse can be made anew. */
export interface Archive {
  /** Resolves once the shipment is fsynced. Throws when the disk does not take it. */
  keep(shipment: ArchivedShipment): Promise<void>;
  /** The same of a journal's shipment of which some lines may be in the archive: it gets the others. */
  keepOnce(shipment: ArchivedShipment): Promise<void>;
  close(): Promise<void>;
}

/** Where the archive lies and for how long its days are kept. */
export type ArchiveOptions = {
  readonly folder: string;
  /** Days of shipping, in UTC; for ever when left out. */
  readonly keepDays?: number | undefined;
  readonly now?: () => number;
  /** Hears of what keeps old days from going: shipments are kept all the same. */
  tell?(trouble: string): void;
};

const DAY_MS = 86_400_000;
const DAY_FOLDER = /^\d{4}-\d\d-\d\d$/;

/**
 * The archive in `folder`: a folder for each day of shipping, in it files of zstd frames, one for
 * each shipment.
 *
 * - Why a fresh file at each start and after each failure: nothing is ever written behind a torn
 *   frame, so that only the end of a file can be torn, and whoever reads stops there.
 * - A shipment may be in it twice, with the same token: a crash came before its deletion from the
 *   journal, and it was shipped again.
 */
export function openArchive(options: ArchiveOptions): Archive {
  const { folder, keepDays, now = Date.now, tell = () => {} } = options;
  const search = createUnarchivedSearch(folder);
  let today: { readonly day: string; readonly file: FileHandle; readonly mark: string } | undefined;

  async function openDay(day: string, token: string, mark: string): Promise<FileHandle> {
    await leaveDay();
    const path = join(folder, day);
    await mkdir(path, { recursive: true });
    const file = await openFresh(path, token);
    today = { day, file, mark };
    // Else a power cut takes away the file with all that is fsynced in it.
    for (const each of [path, folder, dirname(folder)]) await syncFolder(each);
    await letOldDaysGo();
    return file;
  }

  async function letOldDaysGo(): Promise<void> {
    // Of today, some were shipped before there was an archive.
    await keepAgainFrom(folder, toDay(now() + DAY_MS));
    if (keepDays === undefined) return;
    const day = toDay(now() - keepDays * DAY_MS);
    await raiseKeptFrom(folder, day);
    await removeDaysBefore(day);
  }

  async function removeDaysBefore(day: string): Promise<void> {
    const old = (await readdir(folder)).filter((name) => DAY_FOLDER.test(name) && name < day);
    for (const name of old) {
      await rm(join(folder, name), { recursive: true, force: true }).catch((error) =>
        tell(`Day ${name} of the archive is older than it keeps and cannot be removed: ${error}`),
      );
    }
  }

  async function leaveDay(): Promise<void> {
    const left = today;
    today = undefined;
    await left?.file.close();
  }

  async function keep(shipment: ArchivedShipment): Promise<void> {
    const frame = await toArchiveFrame(shipment);
    const day = toDay(now());
    try {
      const mark = await readLeaveMark(folder);
      const isOpen = today?.day === day && today.mark === mark;
      const file = isOpen && today ? today.file : await openDay(day, shipment.token, mark);
      await file.writeFile(frame);
      await file.datasync();
    } catch (error) {
      await leaveDay().catch(() => {}); // The failure that came first is told.
      throw error;
    }
  }

  return {
    keep,
    async keepOnce(shipment) {
      const lacking = await search.findUnarchived(shipment);
      if (lacking.rows > 0) await keep(lacking);
    },
    close: leaveDay,
  };
}

/**
 * Makes every writer of the archive leave its file and begin another, whatever process it is in.
 *
 * - Shape: a shipment that is archived after this is in another file; one that is just being
 *   archived may be the last in the old.
 */
export async function leaveArchiveFiles(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, LEAVE_MARK), randomUUID());
}

const LEAVE_MARK = 'leave';

/** Throws when there is one that cannot be read: the open file may have been replaced. */
async function readLeaveMark(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, LEAVE_MARK), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Named after the shipment it begins with, and numbered when that one is repeated. */
async function openFresh(path: string, token: string): Promise<FileHandle> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? token : `${token}.${number}`;
    try {
      return await open(join(path, `${name}.ndjson.zst`), 'ax', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

import { randomUUID } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ArchivedShipment, toArchiveFrame } from './archive-frame.ts';
import { keepAgainFrom, raiseKeptFrom } from './kept-from.ts';

/** Where shipped events are kept, so that the warehouse can be made anew. */
export interface Archive {
  /** Resolves once the shipment is fsynced. Throws when the disk does not take it. */
  keep(shipment: ArchivedShipment): Promise<void>;
  close(): Promise<void>;
}

/** Where the archive lies and for how long its days are kept. */
export type ArchiveOptions = {
  readonly folder: string;
  /** Days of shipping, in UTC; for ever when left out. */
  readonly keepDays?: number | undefined;
  readonly now?: () => number;
  /** Hears of what keeps old days from going, and of a file that is lost: shipments are kept all the same. */
  onTrouble?(trouble: string): void;
};

/** The file that is written on. */
type OpenFile = {
  readonly day: string;
  readonly path: string;
  readonly file: FileHandle;
  readonly mark: string | undefined;
};

const DAY_MS = 86_400_000;
const DAY_FOLDER = /^\d{4}-\d\d-\d\d$/;

/**
 * The archive in `folder`: a folder for each day of shipping, in it files of zstd frames, one for
 * each shipment.
 *
 * - Why a fresh file at each start and after each failure: nothing is ever written behind a torn
 *   frame, so that only the end of a file can be torn, and a reader stops there.
 * - Another is begun, too, once the open one was removed or replaced under it.
 * - A shipment may be in it twice, with the same token: a crash came before its deletion from the
 *   journal, and it was shipped again.
 */
export function openArchive(options: ArchiveOptions): Archive {
  const { folder, keepDays, now = Date.now, onTrouble = () => {} } = options;
  let today: OpenFile | undefined;

  async function findFile(token: string): Promise<FileHandle> {
    const day = toDay(now());
    // Before the mark is read: a writer that moves files on purpose changes it first.
    const isInPlace = today !== undefined && (await isAtItsPath(today));
    const mark = await readLeaveMark(folder);
    if (today?.day === day && isInPlace && today.mark === mark) return today.file;
    if (today?.day === day && !isInPlace) reportUnlessMeant(today, mark);
    return openDay(day, token, mark);
  }

  /** A mark goes only with the folder. */
  function reportUnlessMeant(lost: OpenFile, mark: string | undefined): void {
    if (mark !== undefined && mark !== lost.mark) return;
    onTrouble(
      `${lost.path} was removed or replaced while it was in use. A new file is begun; verify reports what the archive lacks.`,
    );
  }

  async function openDay(
    day: string,
    token: string,
    mark: string | undefined,
  ): Promise<FileHandle> {
    await leaveDay();
    const dayFolder = join(folder, day);
    await mkdir(dayFolder, { recursive: true });
    const fresh = await openFresh(dayFolder, token);
    today = { day, mark, ...fresh };
    // Else a power cut takes away the file with all that is fsynced in it.
    for (const each of [dayFolder, folder, dirname(folder)]) await syncFolder(each);
    await letOldDaysGo();
    return fresh.file;
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
        onTrouble(
          `Day ${name} of the archive is older than it keeps and cannot be removed: ${error}`,
        ),
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
    try {
      const file = await findFile(shipment.token);
      await file.writeFile(frame);
      await file.datasync();
    } catch (error) {
      await leaveDay().catch(() => {}); // The failure that came first is reported.
      throw error;
    }
  }

  return {
    keep,
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
async function readLeaveMark(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, LEAVE_MARK), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What is written into a file without a name is gone with the process. */
async function isAtItsPath({ path, file }: OpenFile): Promise<boolean> {
  try {
    const [opened, found] = [await file.stat(), await stat(path)];
    return opened.dev === found.dev && opened.ino === found.ino;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Named after the shipment it begins with, and numbered when that one is repeated. */
async function openFresh(
  dayFolder: string,
  token: string,
): Promise<Pick<OpenFile, 'path' | 'file'>> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? token : `${token}.${number}`;
    const path = join(dayFolder, `${name}.ndjson.zst`);
    try {
      return { path, file: await open(path, 'ax', 0o600) };
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

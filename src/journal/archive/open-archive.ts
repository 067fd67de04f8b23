import { statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TrustedNow } from '#storage/keep-clock.ts';
import { syncFolder } from '#storage/sync-folder.ts';
import { type ArchivedShipment, toArchiveFrame } from './archive-frame.ts';
import { keepNothing, raiseKeptFrom } from './kept-from.ts';

/** Where shipped events are kept, so that the warehouse can be made anew. */
export interface Archive {
  /** Resolves once the shipment is fsynced. Throws when the disk does not take it. */
  keep(shipment: ArchivedShipment): Promise<void>;
  /** The next shipment begins another file; one that is just being kept may be the last in the old. */
  leaveFile(): void;
  close(): Promise<void>;
}

/** Where the archive lies and for how long its days are kept. */
export type ArchiveOptions = {
  readonly folder: string;
  /** Days of shipping, in UTC; for ever when left out. */
  readonly keepDays?: number | undefined;
  readonly now?: () => number;
  /** By it days are old; `now` when left out. */
  readonly trustedNow?: TrustedNow;
  /** Hears of what keeps old days from going, and of a file that is lost: shipments are kept all the same. */
  onTrouble?(trouble: string): void;
};

/** The file that is written on. */
type OpenFile = {
  readonly day: string;
  readonly path: string;
  readonly file: FileHandle;
  sizeBytes: number;
};

const DAY_MS = 86_400_000;
const DAY_FOLDER = /^\d{4}-\d\d-\d\d$/;
/** A file of this size is written on no more: readers take one into memory whole. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** The archive that `ARCHIVE_DAYS` asks for; none for 0, which the archive's folder then says too. */
export async function chooseArchive(
  folder: string,
  keepDays: number | undefined,
): Promise<Pick<ArchiveOptions, 'folder' | 'keepDays'> | undefined> {
  if (keepDays !== 0) return { folder, keepDays };
  await keepNothing(folder).catch(() => {}); // A reader who knows the setting does not need it.
  return undefined;
}

/**
 * The archive in `folder`: a folder for each day of shipping, in it files of zstd frames, one for
 * each shipment.
 *
 * - Why a fresh file at each start and after each failure: nothing is ever written behind a torn frame. Another is
 *   begun, too, once the open one is large, or was removed or replaced.
 * - A shipment that a crash repeated may be in it twice, with the same token.
 */
export function openArchive(options: ArchiveOptions): Archive {
  const { folder, keepDays, now = Date.now, onTrouble = () => {} } = options;
  const { trustedNow = now } = options;
  let today: OpenFile | undefined;
  let isToBeLeft = false;
  /** Days that are old wait until the clock is trusted. */
  let isClearingLate = false;

  async function findFile(token: string): Promise<OpenFile> {
    const day = toDay(now());
    if (today?.day !== day || isToBeLeft || today.sizeBytes > FILE_MAX_BYTES) {
      return openFile(day, token);
    }
    if (await isAtItsPath(today)) {
      if (isClearingLate) await letOldDaysGo();
      return today;
    }
    onTrouble(
      `${today.path} was removed or replaced while it was in use. A new file is begun; verify reports what the archive lacks.`,
    );
    return openFile(day, token);
  }

  async function openFile(day: string, token: string): Promise<OpenFile> {
    await closeFile();
    isToBeLeft = false;
    const dayFolder = join(folder, day);
    await mkdir(dayFolder, { recursive: true });
    today = { day, sizeBytes: 0, ...(await openFresh(dayFolder, token)) };
    // Else a power cut takes away the file with all that is fsynced in it.
    for (const each of [dayFolder, folder, dirname(folder)]) syncFolder(each);
    await letOldDaysGo();
    return today;
  }

  async function letOldDaysGo(): Promise<void> {
    const at = keepDays === undefined ? undefined : trustedNow();
    isClearingLate = keepDays !== undefined && at === undefined;
    const day = at === undefined || keepDays === undefined ? '' : toDay(at - keepDays * DAY_MS);
    // Of today, some were shipped before there was an archive.
    await raiseKeptFrom(folder, day, toDay(now() + DAY_MS));
    const old = (await readdir(folder)).filter((name) => DAY_FOLDER.test(name) && name < day);
    for (const name of old) {
      const cannot = `Day ${name} of the archive is older than it keeps and cannot be removed`;
      await rm(join(folder, name), { recursive: true, force: true }).catch((error) =>
        onTrouble(`${cannot}: ${error}`),
      );
    }
  }

  async function closeFile(): Promise<void> {
    const left = today;
    today = undefined;
    await left?.file.close();
  }

  return {
    async keep(shipment) {
      const frame = await toArchiveFrame(shipment);
      try {
        const found = await findFile(shipment.token);
        await found.file.writeFile(frame);
        await found.file.datasync();
        found.sizeBytes += frame.length;
      } catch (error) {
        await closeFile().catch(() => {}); // The failure that came first is reported.
        throw error;
      }
    },
    leaveFile() {
      isToBeLeft = true;
    },
    close: closeFile,
  };
}

/** What is written into a file without a name is gone with the process. */
async function isAtItsPath({ path, file }: OpenFile): Promise<boolean> {
  const [opened, found] = [await file.stat(), statSync(path, { throwIfNoEntry: false })];
  return opened.dev === found?.dev && opened.ino === found.ino;
}

/** Named after the shipment it begins with, and numbered when that one is repeated. */
async function openFresh(folder: string, token: string): Promise<Pick<OpenFile, 'path' | 'file'>> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? token : `${token}.${number}`;
    const path = join(folder, `${name}.ndjson.zst`);
    try {
      return { path, file: await open(path, 'ax', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

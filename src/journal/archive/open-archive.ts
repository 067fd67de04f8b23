import { statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DAY_MS } from '#domain/time/durations.ts';
import { syncFolder } from '#storage/sync-folder.ts';
import { type ArchivedShipment, toArchiveFrame } from './archive-frame.ts';
import { keepNothing, raiseKeptFrom } from './kept-from.ts';

/** The archive of shipped events, from which the warehouse can be rebuilt. */
export interface Archive {
  /** Resolves once the shipment is fsynced. Throws if the write fails. */
  keep(shipment: ArchivedShipment): Promise<void>;
  /** Makes the next shipment begin a new file. A shipment in flight may still go to the old one. */
  leaveFile(): void;
  close(): Promise<void>;
}

/** Location and retention of the archive. */
export type ArchiveOptions = {
  readonly folder: string;
  /** Retention in UTC days, by day of shipping. Undefined: for ever. */
  readonly keepDays?: number | undefined;
  readonly now?: () => number;
  /** The earliest time that it can be for what is `agoMs` old; undefined while the clock is not trusted. Default: `now`. */
  trustedNow?(agoMs: number): number | undefined;
  /** Called when old days cannot be removed, and when a file is lost. Shipments are archived anyway. */
  onTrouble?(trouble: string): void;
};

/** The file being written. */
type OpenFile = {
  readonly day: string;
  readonly path: string;
  readonly file: FileHandle;
  sizeBytes: number;
};

const DAY_FOLDER = /^\d{4}-\d\d-\d\d$/;
/** Maximum file size, because readers load whole files into memory. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** The archive for the setting `ARCHIVE_DAYS`. With 0, there is none, and the archive folder records that. */
export async function chooseArchive(
  folder: string,
  keepDays: number | undefined,
): Promise<Pick<ArchiveOptions, 'folder' | 'keepDays'> | undefined> {
  if (keepDays !== 0) return { folder, keepDays };
  await keepNothing(folder).catch(() => {}); // The record is only for readers that do not know the setting.
  return undefined;
}

/**
 * Opens the archive in `folder`: one folder per day of shipping, with files of zstd frames, one frame per
 * shipment.
 *
 * - Each start and each failure begins a new file, because nothing may follow a torn frame. So does a file
 *   that is too large, removed or replaced.
 * - After a crash, a shipment may occur twice, with the same token.
 */
export function openArchive(options: ArchiveOptions): Archive {
  const { folder, keepDays, now = Date.now, onTrouble = () => {} } = options;
  const { trustedNow = now } = options;
  const keepMs = (keepDays ?? 0) * DAY_MS;
  let today: OpenFile | undefined;
  let needsNewFile = false;
  /** Whether removing old days waits for a trusted clock. */
  let isClearingLate = false;

  async function findFile(token: string): Promise<OpenFile> {
    const day = await findDay();
    if (today?.day !== day || needsNewFile || today.sizeBytes > FILE_MAX_BYTES) {
      return openFile(day, token);
    }
    if (await isAtItsPath(today)) {
      if (isClearingLate) await removeOldDays();
      return today;
    }
    onTrouble(
      `${today.path} was removed or replaced while it was in use. A new file has been started; verify reports what the archive lacks.`,
    );
    return openFile(day, token);
  }

  /**
   * The day of the next shipment. While the clock is not trusted, days do not go back: a shipment that is dated too
   * early would be removed too early.
   */
  async function findDay(): Promise<string> {
    const day = toDay(now());
    if (day === today?.day || trustedNow(keepMs) !== undefined) return day;
    const newest = (await listDays()).reduce((a, b) => (a > b ? a : b), '');
    return newest > day ? newest : day;
  }

  async function listDays(): Promise<string[]> {
    return (await readdir(folder).catch(() => [])).filter((name) => DAY_FOLDER.test(name));
  }

  async function openFile(day: string, token: string): Promise<OpenFile> {
    await closeFile();
    needsNewFile = false;
    const dayFolder = join(folder, day);
    await mkdir(dayFolder, { recursive: true });
    today = { day, sizeBytes: 0, ...(await openFresh(dayFolder, token)) };
    // Without this, a power cut could remove the file with its fsynced contents.
    for (const each of [dayFolder, folder, dirname(folder)]) syncFolder(each);
    await removeOldDays();
    return today;
  }

  async function removeOldDays(): Promise<void> {
    const at = keepDays === undefined ? undefined : trustedNow(keepMs);
    isClearingLate = keepDays !== undefined && at === undefined;
    const day = at === undefined ? '' : toDay(at - keepMs);
    // Some of today's events were shipped before there was an archive.
    await raiseKeptFrom(folder, day, toDay(now() + DAY_MS));
    for (const name of (await listDays()).filter((each) => each < day)) {
      const cannot = `Day ${name} of the archive is past its retention but cannot be removed`;
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
        await closeFile().catch(() => {}); // Report the first failure.
        throw error;
      }
    },
    leaveFile() {
      needsNewFile = true;
    },
    close: closeFile,
  };
}

/** Whether the open file is still at its path. A deleted file's contents vanish with the process. */
async function isAtItsPath({ path, file }: OpenFile): Promise<boolean> {
  const [opened, found] = [await file.stat(), statSync(path, { throwIfNoEntry: false })];
  return opened.dev === found?.dev && opened.ino === found.ino;
}

/** Creates a file named after its first shipment, with a number if that shipment is repeated. */
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

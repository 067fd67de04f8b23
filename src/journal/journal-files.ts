import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { numbersAfter } from '#storage/batch.ts';
import { isDamage } from '#storage/durable-database.ts';
import { listJournalFiles } from '#storage/list-journals.ts';
import type { Shipment } from '#storage/shipment.ts';
import {
  createJournalFile,
  firstSeqOf,
  type JournalFile,
  type JournalFileOptions,
  openJournalFile,
  type Queue,
  removeJournalFile,
} from './journal-file.ts';
import { finishSettingAside, setDamagedAside } from './set-damaged-aside.ts';

/** The durable queue of the web process: one file for new batches, and older files until they are shipped. */
export interface JournalFiles extends Queue {
  /** The highest batch number ever used, including shipped batches. */
  readonly lastSeq: number;
}

type JournalFilesOptions = Partial<JournalFileOptions> & {
  /** Whether a journal existed before. If so, a missing one is reported. */
  readonly isKnown?: boolean;
};

/**
 * Opens the journal in `folder`.
 *
 * - Shape: each start begins a new file, named after its first batch. So does a failed commit, and a file
 *   that was removed, replaced or damaged (damaged files are set aside): nothing is ever appended after a
 *   failure. Older files are shipped, oldest first, and removed once they are empty.
 */
export function openJournalFiles(
  folder: string,
  { isKnown = false, limits, onTrouble = () => {} }: JournalFilesOptions = {},
): JournalFiles {
  const options = { limits, onTrouble };
  mkdirSync(folder, { recursive: true });
  removeOrphans(folder);
  let before = listJournalFiles(folder).map(openOrSetAside);
  let current: JournalFile | undefined;
  let lostTotals = new Map<number, null>();
  if (isKnown && before.length === 0) {
    onTrouble(
      `The journal is missing from ${folder}. All events that had not been shipped are lost.`,
    );
    lostTotals.set(0, null);
  }
  const lastSeq = numbersAfter(Math.max(0, ...before.map((file) => file.lastSeq)));

  function openOrSetAside(path: string): JournalFile {
    finishSettingAside(path);
    try {
      return openJournalFile(path, options);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return setAside(path, error);
    }
  }

  function setAside(path: string, error: unknown): JournalFile {
    const outcome = setDamagedAside(path);
    onTrouble(
      `${path} was damaged (${(error as Error).message}) and has been set aside. ${outcome}`,
    );
    return openJournalFile(path, options);
  }

  function begin(firstSeq: number): JournalFile {
    const file = createJournalFile(join(folder, `${firstSeq}.db`), options);
    if (lostTotals.size > 0) file.addTotals(lostTotals);
    lostTotals = new Map();
    return file;
  }

  /** Stops writing to the current file. */
  function retire(): void {
    if (current !== undefined) before.push(current);
    current = undefined;
  }

  function retireOnceGone(): void {
    const gone = current?.findGone();
    if (current === undefined || gone === undefined) return;
    onTrouble(`${gone} was removed or replaced while it was in use. A new file has been started.`);
    // If the process is killed before the file is shipped, its total is lost with it.
    const firstSeq = firstSeqOf(current.path);
    if (current.lastSeq >= firstSeq) lostTotals.set(firstSeq, null);
    retire();
  }

  /** Runs a step. If it finds damage, sets the file aside and rethrows, so that the step is repeated. */
  function guarded<T>(file: JournalFile, step: () => T): T {
    try {
      return step();
    } catch (error) {
      if (isDamage(error)) replace(file, error);
      throw error;
    }
  }

  function replace(file: JournalFile, error: unknown): void {
    if (file === current) retire();
    drop(file);
    before.unshift(setAside(file.path, error));
  }

  /** Removes an older file that is completely shipped, after copying its totals to the current one. */
  function removeShipped(file: JournalFile): void {
    if (current === undefined || file.setAsideBatches() > 0) return;
    current.addTotals(file.readTotals());
    const isGone = file.findGone() !== undefined;
    drop(file);
    if (!isGone) removeJournalFile(file.path);
  }

  function drop(file: JournalFile): void {
    file.close();
    before = before.filter((each) => each !== file);
  }

  function nextOf(file: JournalFile): Shipment | undefined {
    const shipment = guarded(file, file.nextShipment);
    if (shipment === undefined && file !== current) guarded(file, () => removeShipped(file));
    return (
      shipment && {
        ...shipment,
        hasMore: shipment.hasMore || file !== current,
        confirm: () => guarded(file, shipment.confirm),
        refuse: (error) => guarded(file, () => shipment.refuse?.(error)),
      }
    );
  }

  const all = () => (current === undefined ? before : [...before, current]);
  const sumOf = (count: 'backlogBytes' | 'setAsideBatches') =>
    all().reduce((sum, file) => sum + file[count](), 0);

  try {
    current = begin(lastSeq + 1);
  } catch {
    // The disk may be full. The first batch tries again, and is refused if it still is.
  }
  return {
    lastSeq,
    append(batches) {
      retireOnceGone();
      current ??= begin(batches[0]?.seq ?? 0);
      try {
        current.append(batches);
      } catch (error) {
        retire();
        throw error;
      }
    },
    nextShipment() {
      const failures: unknown[] = [];
      for (const file of all()) {
        try {
          const shipment = nextOf(file);
          if (shipment !== undefined) return shipment;
        } catch (error) {
          failures.push(error); // A failing file must not block the others.
        }
      }
      if (failures.length > 0) throw failures[0];
      return undefined;
    },
    backlogBytes: () => sumOf('backlogBytes'),
    setAsideBatches: () => sumOf('setAsideBatches'),
    close() {
      for (const file of all()) file.close();
    },
  };
}

/** Removes logs and marks of deleted files. A concurrent reader may have recreated one. */
function removeOrphans(folder: string): void {
  const known = new Set(listJournalFiles(folder).map((path) => basename(path)));
  for (const name of readdirSync(folder)) {
    const owner = /^(\d+\.db)-/.exec(name)?.[1];
    if (owner !== undefined && !known.has(owner)) rmSync(join(folder, name));
  }
}

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { listJournalFiles } from '#storage/list-journals.ts';

/** Where events wait: the folder of the journals, and the ledger with its outbox. */
export type ShippingPlaces = { readonly journals: string; readonly ledger?: string };

/** A file in which events wait to be shipped, opened to be looked at only. */
export type QueueFile = {
  readonly db: DatabaseSync;
  /** Whether it is still the file at its path: a journal that is mended, or was lost, is another one. */
  isThere(): boolean;
};

/** The files of all queues that are there now. */
export function queuePathsIn({ journals, ledger }: ShippingPlaces): string[] {
  return [...listJournalFiles(journals), ...(ledger === undefined ? [] : [ledger])];
}

/** The queue at a path; nothing while its process is just making it: nothing is accepted there yet. */
export function openQueue(path: string): QueueFile | undefined {
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  if (db.prepare(IS_MADE).get() !== undefined) {
    const opened = inodeOf(path);
    return { db, isThere: () => inodeOf(path) === opened };
  }
  db.close();
  return undefined;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

const IS_MADE = "SELECT 1 FROM sqlite_schema WHERE name = 'batches'";

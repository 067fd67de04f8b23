import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { listJournals } from '#storage/list-journals.ts';

/** Where events wait: the folder of the journals, and the ledger with its outbox. */
export type ShippingPlaces = { readonly journals: string; readonly ledger?: string };

/** A file in which events wait to be shipped, opened to be looked at only. */
export type QueueFile = {
  readonly db: DatabaseSync;
  readonly table: 'batches' | 'outbox';
  /** Whether it is still the file at its path: a journal that is mended, or was lost, is another one. */
  isThere(): boolean;
};

/** The files of all queues that are there now. */
export function queuePathsIn({ journals, ledger }: ShippingPlaces): string[] {
  return [
    ...listJournals(journals).map(({ path }) => path),
    ...(ledger === undefined ? [] : [ledger]),
  ];
}

/** The queue at a path; nothing while its process is just making it: nothing is accepted there yet. */
export function openQueue(path: string, { ledger }: ShippingPlaces): QueueFile | undefined {
  if (!existsSync(path)) return undefined;
  const table = path === ledger ? 'outbox' : 'batches';
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  if (db.prepare(IS_MADE).get(table) !== undefined) {
    const opened = inodeOf(path);
    return { db, table, isThere: () => inodeOf(path) === opened };
  }
  db.close();
  return undefined;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

const IS_MADE = 'SELECT 1 FROM sqlite_schema WHERE name = ?';

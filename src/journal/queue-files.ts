import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Where events wait: the folder of the journals, and the ledger with its outbox. */
export type ShippingPlaces = { readonly journals: string; readonly ledger?: string };

/** A file in which events wait to be shipped, opened to be looked at only. */
export type QueueFile = { readonly db: DatabaseSync; readonly table: 'batches' | 'outbox' };

/** The files of all queues that are there now. */
export function queuePathsIn({ journals, ledger }: ShippingPlaces): string[] {
  return [...journalsIn(journals), ...(ledger === undefined ? [] : [ledger])];
}

/** The queue at a path; nothing while its process is just making it: nothing is accepted there yet. */
export function openQueue(path: string, { ledger }: ShippingPlaces): QueueFile | undefined {
  const table = path === ledger ? 'outbox' : 'batches';
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  if (db.prepare(IS_MADE).get(table) !== undefined) return { db, table };
  db.close();
  return undefined;
}

const IS_MADE = 'SELECT 1 FROM sqlite_schema WHERE name = ?';

function journalsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(folder, name));
}

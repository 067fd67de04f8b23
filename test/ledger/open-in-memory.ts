import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { LEDGER } from '#ledger/schema/schema.ts';
import { migrate } from '#storage/sql/migrate.ts';
import type { Database } from '#storage/sql/sql.ts';
import { toDatabase } from '#storage/sql/sqlite.ts';
import { findLocation, leaveLocation } from './database-of-tests.ts';

let last: { readonly db: Database; readonly location: string } | undefined;

/** An empty ledger in memory, or in PostgreSQL. It is closed when the next one is opened. */
export async function openInMemory(): Promise<Database> {
  if (last !== undefined) {
    await last.db.close().catch(() => {}); // A test may have closed it.
    await leaveLocation(last.location);
  }
  const location = await findLocation('');
  last = { location, db: await open(location) };
  return last.db;
}

async function open(location: string): Promise<Database> {
  if (location !== '') return openDatabase(location, { checkpoints: false });
  const db = toDatabase(new DatabaseSync(':memory:'));
  await migrate(db, LEDGER);
  return db;
}

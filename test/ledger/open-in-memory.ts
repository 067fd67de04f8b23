import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { LEDGER } from '#ledger/schema/schema.ts';
import { migrate } from '#storage/sql/migrate.ts';
import type { Database } from '#storage/sql/sql.ts';
import { toDatabase } from '#storage/sql/sqlite.ts';
import { findLocation } from './database-of-tests.ts';

let last: Database | undefined;

/** An empty ledger in memory, or in PostgreSQL. It is closed when the next one is opened. */
export async function openInMemory(): Promise<Database> {
  await last?.close().catch(() => {}); // A test may have closed it.
  const location = await findLocation('');
  if (location === '') {
    last = toDatabase(new DatabaseSync(':memory:'));
    await migrate(last, LEDGER);
  } else {
    last = await openDatabase(location, { checkpoints: false });
  }
  return last;
}

import { DatabaseSync } from 'node:sqlite';
import { crashPoint } from '#storage/crash-points.ts';
import { openDurableDatabase } from '#storage/durable-database.ts';
import { backUp } from '#storage/sql/back-up.ts';
import { migrate } from '#storage/sql/migrate.ts';
import { openPostgres } from '#storage/sql/postgres.ts';
import { type Database, isPostgres } from '#storage/sql/sql.ts';
import { toDatabase } from '#storage/sql/sqlite.ts';
import { LEDGER } from './schema.ts';

/**
 * Opens or creates the ledger at a location: the path of an SQLite file, or the URL of a PostgreSQL database. A ledger
 * of an older version is brought to this one; a file is copied before.
 *
 * - Throws if SQLite cannot guarantee durability, or if the ledger is of a version that cannot be changed to this one.
 * - Why only the committing thread runs checkpoints: the others must not stall for them. The last
 *   connection to close always runs one.
 */
export async function openDatabase(
  location: string,
  options: { readonly checkpoints: boolean },
): Promise<Database> {
  const file = isPostgres(location) ? undefined : openDurableDatabase(location, options);
  const db = file === undefined ? openPostgres(location) : toDatabase(file);
  try {
    await migrate(db, LEDGER, {
      backUp: async (version) => file && backUp(file, `${location}.version-${version}`),
      onStep: () => crashPoint('before', 'ledger schema'),
    });
    crashPoint('after', 'ledger schema');
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Opens a ledger that exists, to read it while others use it. */
export function openReadOnly(location: string): Database {
  if (isPostgres(location)) return openPostgres(location);
  return toDatabase(new DatabaseSync(location, { readOnly: true, timeout: 5_000 }));
}

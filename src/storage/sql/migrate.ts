import type { Database, Sql } from './sql.ts';
import { toPostgresSchema } from './to-postgres.ts';

/** A change of the schema, from the version before. Runs in a transaction of its own. */
export type Migration = { readonly version: number; up(sql: Sql): Promise<void> };

/** The schema of one store in a database. */
export type Schema = {
  /** The store's name, by which PostgreSQL keeps its version. */
  readonly store: string;
  /** Makes the tables of the newest version in an empty database, in SQLite's dialect. */
  readonly tables: string;
  readonly version: number;
  /** Changes from older versions, oldest first. */
  readonly migrations: readonly Migration[];
};

type MigrateOptions = {
  /** Called before the first change of a database that has data. */
  backUp?(version: number): Promise<void>;
  /** Called in the transaction, when a step is done but not committed. */
  onStep?(): void;
};

/**
 * Brings a database to the schema's version: each step in a transaction of its own, so that an interrupted run goes on
 * where it was. Several programs may begin at once: the first one does it.
 *
 * - Throws if the database is of a newer version, or of one without a migration.
 */
export async function migrate(
  db: Database,
  schema: Schema,
  { backUp, onStep }: MigrateOptions = {},
): Promise<void> {
  const found = await readVersion(db, schema.store);
  if (found === schema.version) return;
  assertKnown(schema, found);
  if (found > 0) await backUp?.(found);
  const steps = [{ version: schema.version, up: (sql: Sql) => makeTables(sql, schema) }];
  for (const { version, up } of found === 0 ? steps : schema.migrations) {
    if (version <= found) continue;
    await db.transaction(async (sql) => {
      if (sql.dialect === 'postgres') await sql.run('SELECT pg_advisory_xact_lock(7283641)');
      const now = await readVersion(sql, schema.store); // Another program may have been faster.
      if (now >= version) return;
      await up(sql);
      await writeVersion(sql, schema.store, version);
      onStep?.();
    });
  }
}

function assertKnown({ store, version, migrations }: Schema, found: number): void {
  if (found > version) {
    throw new Error(
      `Version ${found} of the ${store} is newer than this program, which knows versions up to ${version}: run the newer program, or restore a backup from before it.`,
    );
  }
  const first = migrations[0]?.version ?? version;
  if (found > 0 && found < first - 1) {
    throw new Error(
      `Version ${found} of the ${store} is from before the first release and cannot become version ${version}: begin with an empty DATA_DIR.`,
    );
  }
}

function makeTables(sql: Sql, { tables }: Schema): Promise<void> {
  return sql.exec(sql.dialect === 'postgres' ? toPostgresSchema(tables) : tables);
}

/** The version of a store; 0 in an empty database. */
export async function readVersion(sql: Sql, store: string): Promise<number> {
  if (sql.dialect === 'sqlite') return Number((await sql.get('PRAGMA user_version'))?.user_version);
  const table = await sql.get("SELECT to_regclass('schema_versions') AS name");
  if (table?.name === null) return 0;
  const row = await sql.get('SELECT version FROM schema_versions WHERE store = ?', store);
  return Number(row?.version ?? 0);
}

async function writeVersion(sql: Sql, store: string, version: number): Promise<void> {
  if (sql.dialect === 'sqlite') return sql.exec(`PRAGMA user_version = ${version}`);
  await sql.exec(
    'CREATE TABLE IF NOT EXISTS schema_versions (store TEXT PRIMARY KEY, version BIGINT NOT NULL)',
  );
  await sql.run(
    `INSERT INTO schema_versions (store, version) VALUES (?, ?)
     ON CONFLICT (store) DO UPDATE SET version = excluded.version`,
    ...[store, version],
  );
}

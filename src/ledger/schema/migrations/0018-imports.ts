import type { Migration } from '#storage/sql/migrate.ts';
import { toPostgresSchema } from '#storage/sql/to-postgres.ts';

/** Imports of payments from files, and which of them first recorded a transaction, so that they can be undone. */
export const imports: Migration = {
  version: 18,
  async up(sql) {
    const text = `
      CREATE TABLE imports (
        id TEXT PRIMARY KEY, site_id TEXT NOT NULL, file TEXT NOT NULL, format TEXT NOT NULL,
        started_at INTEGER NOT NULL, finished_at INTEGER, undone_at INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE imported_payments (
        site_id TEXT NOT NULL, transaction_id TEXT NOT NULL, import_id TEXT NOT NULL,
        reported_by TEXT, PRIMARY KEY (site_id, transaction_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX imported_payments_by_import ON imported_payments (import_id);`;
    await sql.exec(sql.dialect === 'postgres' ? toPostgresSchema(text) : text);
  },
};

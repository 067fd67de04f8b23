import type { Migration } from '#storage/sql/migrate.ts';
import { toPostgresSchema } from '#storage/sql/to-postgres.ts';

/** What was spent on campaigns. */
export const costs: Migration = {
  version: 20,
  async up(sql) {
    const text = `
      CREATE TABLE costs (
        id INTEGER PRIMARY KEY, site_id TEXT NOT NULL, day TEXT NOT NULL, source TEXT NOT NULL,
        medium TEXT NOT NULL, campaign TEXT NOT NULL, channel TEXT NOT NULL,
        amount_minor INTEGER NOT NULL, currency TEXT NOT NULL, import_id TEXT,
        removed_at INTEGER, version INTEGER NOT NULL,
        UNIQUE (site_id, day, source, medium, campaign)
      ) STRICT;
      CREATE UNIQUE INDEX costs_by_version ON costs (version);
      CREATE INDEX costs_by_import ON costs (import_id) WHERE import_id IS NOT NULL;
      CREATE TABLE cost_imports (
        id TEXT PRIMARY KEY, site_id TEXT NOT NULL, file TEXT NOT NULL,
        imported_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      INSERT INTO counters VALUES ('costs', 0), ('shipped_costs', 0);`;
    await sql.exec(sql.dialect === 'postgres' ? toPostgresSchema(text) : text);
  },
};

import type { Migration } from '#storage/sql/migrate.ts';
import { toPostgresSchema } from '#storage/sql/to-postgres.ts';

/** Walks through the history of connected providers, and objects that their events only name. */
export const walks: Migration = {
  version: 19,
  async up(sql) {
    const text = `
      ALTER TABLE provider_events ADD COLUMN wanted TEXT;
      ALTER TABLE provider_events ADD COLUMN is_polled INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX wanting_provider_events ON provider_events (connection_id, id)
        WHERE wanted IS NOT NULL;
      CREATE INDEX polled_provider_events ON provider_events (connection_id, received_at)
        WHERE is_polled = 1;
      CREATE TABLE provider_walks (
        connection_id TEXT NOT NULL, kind TEXT NOT NULL, since INTEGER NOT NULL,
        until INTEGER NOT NULL, list TEXT, "cursor" TEXT, pages INTEGER NOT NULL DEFAULT 0,
        reached_at INTEGER, failures INTEGER NOT NULL DEFAULT 0, error TEXT, left_out TEXT,
        due_at INTEGER, ended_at INTEGER, holder TEXT, held_until INTEGER,
        PRIMARY KEY (connection_id, kind)
      ) STRICT, WITHOUT ROWID;`;
    await sql.exec(sql.dialect === 'postgres' ? toPostgresSchema(text) : text);
  },
};

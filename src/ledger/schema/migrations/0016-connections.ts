import type { Migration } from '#storage/sql/migrate.ts';
import { toPostgresSchema } from '#storage/sql/to-postgres.ts';

/** Connected payment providers: their inbox of events, what events state, and what came of it in the payments. */
export const connections: Migration = {
  version: 16,
  async up(sql) {
    const text = `
      CREATE TABLE connections (
        id TEXT PRIMARY KEY, site_id TEXT NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL,
        secrets TEXT NOT NULL, settings TEXT NOT NULL CHECK (json_valid(settings)),
        created_at INTEGER NOT NULL, removed_at INTEGER, last_event_at INTEGER,
        last_error TEXT, last_error_at INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE provider_events (
        id INTEGER PRIMARY KEY AUTOINCREMENT, connection_id TEXT NOT NULL, event_id TEXT NOT NULL,
        type TEXT NOT NULL, is_test INTEGER NOT NULL, received_at INTEGER NOT NULL,
        headers TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, error TEXT,
        attempts INTEGER NOT NULL DEFAULT 0, UNIQUE (connection_id, event_id)
      ) STRICT;
      CREATE INDEX new_provider_events ON provider_events (id) WHERE state = 'new';
      CREATE TABLE provider_facts (
        connection_id TEXT NOT NULL, event_id TEXT NOT NULL, facts TEXT NOT NULL,
        PRIMARY KEY (connection_id, event_id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE provider_ids (
        connection_id TEXT NOT NULL, id TEXT NOT NULL, event_id TEXT NOT NULL,
        PRIMARY KEY (connection_id, id, event_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX provider_ids_by_event ON provider_ids (connection_id, event_id);
      CREATE TABLE provided_payments (
        site_id TEXT NOT NULL, transaction_id TEXT NOT NULL, connection_id TEXT NOT NULL,
        stated TEXT NOT NULL, found_by TEXT, PRIMARY KEY (site_id, transaction_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX provided_payments_by_connection ON provided_payments (connection_id);
      CREATE TABLE provided_ids (
        site_id TEXT NOT NULL, id TEXT NOT NULL, transaction_id TEXT NOT NULL,
        PRIMARY KEY (site_id, id)
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE payments ADD COLUMN provider TEXT;
      ALTER TABLE payments ADD COLUMN same_as TEXT;
      ALTER TABLE refunds ADD COLUMN is_dispute INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE refunds ADD COLUMN withdrawn_at INTEGER;
      INSERT INTO counters VALUES ('provider_events', 0);`;
    await sql.exec(sql.dialect === 'postgres' ? toPostgresSchema(text) : text);
  },
};

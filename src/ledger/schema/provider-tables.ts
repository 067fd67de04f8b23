/** The ledger's tables of connected payment providers, in SQLite's dialect. */
export const PROVIDER_TABLES = `
  -- Connected payment providers. Secrets are encrypted.
  CREATE TABLE connections (
    id TEXT PRIMARY KEY, site_id TEXT NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL,
    secrets TEXT NOT NULL, settings TEXT NOT NULL CHECK (json_valid(settings)),
    created_at INTEGER NOT NULL, removed_at INTEGER, last_event_at INTEGER,
    last_error TEXT, last_error_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Their inbox: events as they came, and entries of lists. States: new, done, ignored, unknown, failed, test, erased.
  -- 'wanted' is the object that an event names, until it is fetched; 'is_polled': the hourly poll found it first.
  CREATE TABLE provider_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, connection_id TEXT NOT NULL, event_id TEXT NOT NULL,
    type TEXT NOT NULL, is_test INTEGER NOT NULL, received_at INTEGER NOT NULL,
    headers TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, error TEXT,
    attempts INTEGER NOT NULL DEFAULT 0, wanted TEXT, is_polled INTEGER NOT NULL DEFAULT 0,
    UNIQUE (connection_id, event_id)
  ) STRICT;
  CREATE INDEX new_provider_events ON provider_events (id) WHERE state = 'new';
  CREATE INDEX wanting_provider_events ON provider_events (connection_id, id)
    WHERE wanted IS NOT NULL;
  CREATE INDEX provider_events_by_age ON provider_events (connection_id, received_at);
  CREATE INDEX polled_provider_events ON provider_events (connection_id, received_at)
    WHERE is_polled = 1;
  -- Walks through their lists; see Walk. 'holder' is the process that walks, until 'held_until'.
  CREATE TABLE provider_walks (
    connection_id TEXT NOT NULL, kind TEXT NOT NULL, since INTEGER NOT NULL,
    until INTEGER NOT NULL, list TEXT, "cursor" TEXT, pages INTEGER NOT NULL DEFAULT 0,
    reached_at INTEGER, failures INTEGER NOT NULL DEFAULT 0, error TEXT, left_out TEXT,
    due_at INTEGER, ended_at INTEGER, holder TEXT, held_until INTEGER,
    PRIMARY KEY (connection_id, kind)
  ) STRICT, WITHOUT ROWID;
  -- What each event states, and the ids by which facts belong together.
  CREATE TABLE provider_facts (
    connection_id TEXT NOT NULL, event_id TEXT NOT NULL, facts TEXT NOT NULL,
    PRIMARY KEY (connection_id, event_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE provider_ids (
    connection_id TEXT NOT NULL, id TEXT NOT NULL, event_id TEXT NOT NULL,
    PRIMARY KEY (connection_id, id, event_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX provider_ids_by_event ON provider_ids (connection_id, event_id);
  -- What the facts come to, as it was recorded in payments and refunds; and the other ids of the same money.
  CREATE TABLE provided_payments (
    site_id TEXT NOT NULL, transaction_id TEXT NOT NULL, connection_id TEXT NOT NULL,
    stated TEXT NOT NULL, found_by TEXT, PRIMARY KEY (site_id, transaction_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX provided_payments_by_connection ON provided_payments (connection_id);
  -- Erased visitors, as hashes: what providers say of them again is not kept.
  CREATE TABLE erased_visitors (
    site_id TEXT NOT NULL, visitor TEXT NOT NULL, erased_at INTEGER NOT NULL,
    PRIMARY KEY (site_id, visitor)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE provided_ids (
    site_id TEXT NOT NULL, id TEXT NOT NULL, transaction_id TEXT NOT NULL,
    PRIMARY KEY (site_id, id)
  ) STRICT, WITHOUT ROWID;
`;

import type { Migration } from '#storage/sql/migrate.ts';

/** Entries of the audit log have ids, by which those of one moment are in order. */
export const auditIds: Migration = {
  version: 2,
  up: (sql) =>
    sql.exec(`${ADDED_TABLES}
      CREATE TABLE new_audit (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        site_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        who TEXT NOT NULL,
        what TEXT NOT NULL,
        about TEXT NOT NULL
      ) STRICT;
      INSERT INTO new_audit SELECT rowid, at, site_id, user_id, who, what, about FROM audit;
      DROP TABLE audit;
      ALTER TABLE new_audit RENAME TO audit;
      CREATE INDEX audit_site ON audit (site_id, at);`),
};

/** Tables that a file of version 1 got when it was opened, if it lacked them. */
export const ADDED_TABLES = `
  -- Codes of authenticator apps that have opened a session.
  CREATE TABLE IF NOT EXISTS used_codes (
    factor_id TEXT NOT NULL REFERENCES "twoFactor" ("id") ON DELETE CASCADE,
    code TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (factor_id, code)
  ) STRICT, WITHOUT ROWID;
  -- Saved items; content is JSON. Without a user, the whole site shares the item.
  CREATE TABLE IF NOT EXISTS saved (
    id TEXT NOT NULL PRIMARY KEY,
    site_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('segment', 'funnel', 'annotation')),
    user_id TEXT REFERENCES "user" ("id") ON DELETE CASCADE,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS saved_site ON saved (site_id, kind);
  CREATE INDEX IF NOT EXISTS saved_user ON saved (user_id);
  -- Links that show part of a site.
  CREATE TABLE IF NOT EXISTS shares (
    id TEXT NOT NULL PRIMARY KEY,
    site_id TEXT NOT NULL,
    name TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    panels TEXT NOT NULL,
    has_revenue INTEGER NOT NULL,
    filters TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Mails that people receive; 'sent_until' is the last day covered by a sent summary.
  CREATE TABLE IF NOT EXISTS subscriptions (
    user_id TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    site_id TEXT NOT NULL,
    summary TEXT NOT NULL CHECK (summary IN ('off', 'weekly', 'monthly')),
    alerts INTEGER NOT NULL,
    token TEXT NOT NULL UNIQUE,
    sent_until TEXT NOT NULL,
    PRIMARY KEY (user_id, site_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS alert_rules (
    site_id TEXT NOT NULL PRIMARY KEY,
    kinds TEXT NOT NULL,
    webhook_url TEXT,
    is_trusted INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Alerts that have not cleared.
  CREATE TABLE IF NOT EXISTS open_alerts (
    site_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (site_id, kind)
  ) STRICT, WITHOUT ROWID;
`;

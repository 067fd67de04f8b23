import type { Migration } from '#storage/sql/migrate.ts';
import { toPostgresSchema } from '#storage/sql/to-postgres.ts';

/** Alerts of one's own, and messages that wait to be delivered. */
export const OWN_ALERTS = `
  -- Alerts that admins put into words, as JSON, and how far each has come.
  CREATE TABLE own_alerts (
    site_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    seen_until INTEGER NOT NULL,
    told TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    PRIMARY KEY (site_id, rule)
  ) STRICT, WITHOUT ROWID;
  -- Messages that are not delivered yet. Those to the webhook have no user.
  CREATE TABLE deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    site_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    content TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_due ON deliveries (due_at);
`;

/** What is sent is noted before it is sent, so that a restart neither loses nor repeats it. */
export const ownAlerts: Migration = {
  version: 3,
  up: (sql) => sql.exec(sql.dialect === 'postgres' ? toPostgresSchema(OWN_ALERTS) : OWN_ALERTS),
};

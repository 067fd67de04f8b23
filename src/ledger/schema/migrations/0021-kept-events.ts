import type { Migration } from '#storage/sql/migrate.ts';

/** Raw events of providers are deleted by their age, for as long as their site keeps them. */
export const keptEvents: Migration = {
  version: 21,
  async up(sql) {
    await sql.exec(
      'CREATE INDEX provider_events_by_age ON provider_events (connection_id, received_at);',
    );
  },
};

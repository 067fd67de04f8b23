import type { Migration } from '#storage/sql/migrate.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { toPostgresSchema } from '#storage/sql/to-postgres.ts';

/**
 * Raw events of providers are deleted by their age, for as long as their site keeps them. They are read again, because
 * facts belong together by other ids; payments are found by their subscription; and erased visitors stay erased.
 */
export const keptEvents: Migration = {
  version: 21,
  async up(sql) {
    const text = `
      CREATE INDEX provider_events_by_age ON provider_events (connection_id, received_at);
      CREATE TABLE erased_visitors (
        site_id TEXT NOT NULL, visitor TEXT NOT NULL, erased_at INTEGER NOT NULL,
        PRIMARY KEY (site_id, visitor)
      ) STRICT, WITHOUT ROWID;
      UPDATE provider_events SET state = 'new' WHERE state = 'done';`;
    await sql.exec(sql.dialect === 'postgres' ? toPostgresSchema(text) : text);
    await nameCharges(sql);
  },
};

async function nameCharges(sql: Sql): Promise<void> {
  const payments = await sql.all(
    'SELECT connection_id, transaction_id, stated FROM provided_payments',
  );
  const rows = payments.flatMap(({ connection_id: connection, transaction_id: id, stated }) => {
    const { subscriptionId, amountMinor, paidAt } = JSON.parse(String(stated));
    if (subscriptionId === undefined || amountMinor === undefined) return [];
    const series = `${amountMinor === '0' ? 'trial' : 'charge'} ${JSON.stringify(subscriptionId)}`;
    const name = `${series} ${String(paidAt).padStart(15, '0')} ${id}`;
    return [[String(connection), name, `stated ${id}`]];
  });
  await sql.insert({
    ...{ into: 'provider_ids', columns: ['connection_id', 'id', 'event_id'], rows },
    end: 'ON CONFLICT DO NOTHING',
  });
}

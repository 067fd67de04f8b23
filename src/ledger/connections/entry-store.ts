import type { HistoryPage } from '#domain/money/walk.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { withoutPerson } from '../erasure/erase-provider-events.ts';

/** Puts the entries of a page into the inbox. One that is there already is taken again only if it has changed. */
export async function saveEntries(
  sql: Sql,
  connectionId: string,
  { entries, fault }: HistoryPage,
  { at, isPolled }: { readonly at: number; readonly isPolled: boolean },
): Promise<void> {
  const erased = await findErased(
    sql,
    connectionId,
    entries.flatMap(({ moneyIds }) => moneyIds),
  );
  await sql.insert({
    into: 'provider_events',
    columns: [
      ...['connection_id', 'event_id', 'type', 'is_test', 'received_at', 'headers', 'body'],
      ...['state', 'is_polled'],
    ],
    rows: entries.map(({ eventId, type, facts, moneyIds }) => {
      const isErased = moneyIds.some((id) => erased.has(id));
      const body = isErased ? withoutPerson(facts) : facts;
      return [connectionId, eventId, type, 0, at, '{}', body, 'new', Number(isPolled)];
    }),
    end: `ON CONFLICT (connection_id, event_id) DO UPDATE SET body = excluded.body, state = 'new',
        received_at = excluded.received_at
      WHERE provider_events.body <> excluded.body AND provider_events.state <> 'erased'`,
  });
  if (fault === undefined) return;
  const note = 'UPDATE connections SET last_error = ?, last_error_at = ? WHERE id = ?';
  await sql.run(note, fault, at, connectionId);
}

/** Those ids of money whose person was erased: no history brings a person back. */
async function findErased(
  sql: Sql,
  connectionId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.arrays(
    `SELECT named.id FROM (
       SELECT transaction_id AS id, transaction_id FROM payments
         WHERE site_id = (SELECT site_id FROM connections WHERE id = ?1)
           AND transaction_id IN (SELECT value FROM json_each(?2))
       UNION SELECT id, transaction_id FROM provided_ids
         WHERE site_id = (SELECT site_id FROM connections WHERE id = ?1)
           AND id IN (SELECT value FROM json_each(?2))) AS named
     JOIN payments ON payments.transaction_id = named.transaction_id AND erased_at IS NOT NULL
       AND payments.site_id = (SELECT site_id FROM connections WHERE id = ?1)`,
    ...[connectionId, JSON.stringify([...new Set(ids)])],
  );
  return new Set(rows.map(([id]) => String(id)));
}

/** How many payments of these days the poll found, of which no webhook has told until now. */
export async function countMissed(sql: Sql, connectionId: string, since: number): Promise<number> {
  const row = await sql.get(
    `SELECT count(DISTINCT transaction_id) AS count FROM provider_events
     JOIN provider_ids AS own ON own.connection_id = provider_events.connection_id
       AND own.event_id = provider_events.event_id
     JOIN provided_payments ON provided_payments.connection_id = own.connection_id
       AND own.id = 'money ' || transaction_id
     WHERE provider_events.connection_id = ?1 AND is_polled = 1 AND received_at >= ?2
       AND NOT EXISTS (SELECT 1 FROM provider_ids AS other WHERE other.connection_id = ?1
         AND other.id = own.id AND other.event_id NOT LIKE 'history %')`,
    ...[connectionId, since],
  );
  return Number(row?.count ?? 0);
}

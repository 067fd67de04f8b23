import type { PersonKeys } from '#domain/identity/person.ts';
import type { Sql, SqlValue } from '#storage/sql/sql.ts';

/** What facts say of a person. */
const PERSONAL = ['visitorId', 'customerId', 'email', 'name'];

/**
 * Erases a person from the events of connected providers: their bodies go, and facts and statements keep the money only.
 *
 * - Why the names of the same money are kept as a fact of their own: a bill and the money that paid it may have found each
 *   other by their customer.
 */
export async function eraseProviderEvents(
  sql: Sql,
  siteId: string,
  subject: PersonKeys & { readonly transactions: readonly string[] },
): Promise<void> {
  const { transactions, customers, visitors, emails } = subject;
  const others = await sql.all(
    `SELECT id, transaction_id FROM provided_ids
     WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(transactions)],
  );
  const ids = JSON.stringify([
    ...[...transactions, ...others.map(({ id }) => String(id))].map((id) => `money ${id}`),
    ...customers.map((id) => `customer ${id}`),
    ...visitors.map((id) => `visitor ${id}`),
  ]);
  const rows = await sql.all(
    `SELECT DISTINCT provider_ids.connection_id, provider_ids.event_id, facts FROM provider_ids
     JOIN connections ON connections.id = provider_ids.connection_id AND site_id = ?
     JOIN provider_facts ON provider_facts.connection_id = provider_ids.connection_id
       AND provider_facts.event_id = provider_ids.event_id
     WHERE provider_ids.id IN (SELECT value FROM json_each(?))`,
    ...[siteId, ids],
  );
  for (const { connection_id: connection = '', event_id: event = '', facts } of rows) {
    await eraseEvent(sql, [connection, event], String(facts));
  }
  for (const [own, names] of Map.groupBy(others, (row) => String(row.transaction_id))) {
    const [first] = rows;
    const sameMoney = [own, ...names.map(({ id }) => String(id))];
    if (first !== undefined) await keepNames(sql, String(first.connection_id), own, sameMoney);
  }
  await clearStatements(sql, siteId, transactions);
  for (const text of [...visitors, ...emails]) await eraseBodies(sql, siteId, text);
}

/** Erases the bodies that hold a text, as JSON and forms have it: those of unknown types state no facts. */
async function eraseBodies(sql: Sql, siteId: string, text: string): Promise<void> {
  await sql.run(
    `UPDATE provider_events SET headers = '{}', body = '', state = 'erased'
     WHERE connection_id IN (SELECT id FROM connections WHERE site_id = ?)
       AND state NOT IN ('new', 'erased')
       AND (instr(lower(body), ?) > 0 OR instr(lower(body), ?) > 0)`,
    ...[siteId, JSON.stringify(text).toLowerCase(), `=${encodeURIComponent(text)}`.toLowerCase()],
  );
}

type EventKey = readonly [connectionId: SqlValue, eventId: SqlValue];

async function eraseEvent(sql: Sql, key: EventKey, facts: string): Promise<void> {
  const isIt = 'connection_id = ? AND event_id = ?';
  await sql.run(
    `UPDATE provider_events SET headers = '{}', body = '', state = 'erased' WHERE ${isIt}`,
    ...key,
  );
  await sql.run(`UPDATE provider_facts SET facts = ? WHERE ${isIt}`, withoutPerson(facts), ...key);
  await sql.run(
    `DELETE FROM provider_ids WHERE ${isIt}
       AND (id LIKE 'customer %' OR id LIKE 'payer %' OR id LIKE 'visitor %' OR id LIKE 'twin %')`,
    ...key,
  );
}

async function keepNames(
  sql: Sql,
  connectionId: string,
  own: string,
  sameMoney: readonly string[],
): Promise<void> {
  const eventId = `erased ${own}`;
  await sql.insert({
    into: 'provider_facts',
    columns: ['connection_id', 'event_id', 'facts'],
    rows: [[connectionId, eventId, JSON.stringify([{ fact: 'link', sameMoney }])]],
    end: 'ON CONFLICT (connection_id, event_id) DO UPDATE SET facts = excluded.facts',
  });
  await sql.insert({
    into: 'provider_ids',
    columns: ['connection_id', 'id', 'event_id'],
    rows: sameMoney.map((id) => [connectionId, `money ${id}`, eventId]),
    end: 'ON CONFLICT DO NOTHING',
  });
}

async function clearStatements(
  sql: Sql,
  siteId: string,
  transactions: readonly string[],
): Promise<void> {
  const stated = await sql.all(
    `SELECT transaction_id, stated FROM provided_payments
     WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(transactions)],
  );
  for (const { transaction_id: id = '', stated: text } of stated) {
    await sql.run(
      'UPDATE provided_payments SET stated = ?, found_by = NULL WHERE site_id = ? AND transaction_id = ?',
      ...[withoutPerson(String(text)), siteId, id],
    );
  }
}

/** Facts or statements, as JSON, without what they say of a person. */
export function withoutPerson(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (name, value) => (PERSONAL.includes(name) ? undefined : value)),
  );
}

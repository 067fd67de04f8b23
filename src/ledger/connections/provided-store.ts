import { type ProvidedPayment, toOtherIds, toStatedText } from '#domain/money/provided-payment.ts';
import type { StatedPayment } from '#domain/money/provider-event.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** What was stated of payments with one of these ids, and by which connection, if it is still there. */
export async function findStated(
  sql: Sql,
  siteId: string,
  ids: readonly string[],
): Promise<StatedPayment[]> {
  const rows = await sql.arrays(
    `SELECT stated, found_by, connections.id FROM provided_payments
     LEFT JOIN connections ON connections.id = connection_id AND removed_at IS NULL
     WHERE provided_payments.site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(ids)],
  );
  return rows.map(([stated, foundBy, connection]) => ({
    ...toStated(stated, foundBy),
    ...(connection !== null && { connectionId: String(connection) }),
  }));
}

/** The payments by their other names among these ids. */
export async function findOwnIds(
  sql: Sql,
  siteId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.arrays(
    `SELECT id, transaction_id FROM provided_ids
     WHERE site_id = ? AND id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(ids)],
  );
  return new Map(rows.map(([id, own]) => [String(id), String(own)]));
}

/** What other connections of the site state, by those of these ids that they know. */
export async function findElsewhere(
  sql: Sql,
  { siteId, id: connectionId }: { readonly siteId: string; readonly id: string },
  ids: readonly string[],
) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await sql.arrays(
    `SELECT named.id, stated, found_by, connection_id FROM (
       SELECT transaction_id AS id, transaction_id FROM provided_payments
         WHERE site_id = ?1 AND transaction_id IN (SELECT value FROM json_each(?2))
       UNION SELECT id, transaction_id FROM provided_ids
         WHERE site_id = ?1 AND id IN (SELECT value FROM json_each(?2))) AS named
     JOIN provided_payments AS stated ON site_id = ?1
       AND stated.transaction_id = named.transaction_id AND connection_id <> ?3`,
    ...[siteId, JSON.stringify(ids), connectionId],
  );
  return new Map(
    rows.map(([id, stated, foundBy, other]) => [
      String(id),
      { ...toStated(stated, foundBy), connectionId: String(other) },
    ]),
  );
}

function toStated(stated: unknown, foundBy: unknown): StatedPayment {
  const way = foundBy === null ? undefined : String(foundBy);
  return { payment: toPayment(String(stated)), foundBy: way };
}

function toPayment(text: string): ProvidedPayment {
  const isMinor = (name: string) => name === 'amountMinor' || name === 'refundedMinor';
  return JSON.parse(text, (name, value) => (isMinor(name) ? BigInt(value) : value));
}

/** Replaces what was stated: payments that are no longer stated leave. `ids`: everything the same money is called. */
export async function saveStated(
  sql: Sql,
  { siteId, id: connectionId }: { readonly siteId: string; readonly id: string },
  gone: readonly string[],
  stated: readonly StatedPayment[],
  ids: readonly string[],
): Promise<void> {
  await saveIds(sql, siteId, stated, ids);
  await saveOwnIds(sql, connectionId, gone, stated);
  if (gone.length > 0) {
    await sql.run(
      `DELETE FROM provided_payments
       WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
      ...[siteId, JSON.stringify(gone)],
    );
  }
  await sql.insert({
    into: 'provided_payments',
    columns: ['site_id', 'transaction_id', 'connection_id', 'stated', 'found_by'],
    rows: stated.map(({ payment, foundBy, connectionId: of = connectionId }) => {
      return [siteId, payment.transactionId, of, toStatedText(payment), foundBy ?? null];
    }),
    end: `ON CONFLICT (site_id, transaction_id) DO UPDATE SET
      connection_id = excluded.connection_id, stated = excluded.stated, found_by = excluded.found_by`,
  });
}

/** Saves the ids by which payments are found, beside those of what events state. */
async function saveOwnIds(
  sql: Sql,
  connectionId: string,
  gone: readonly string[],
  stated: readonly StatedPayment[],
): Promise<void> {
  const toName = (transactionId: string) => `stated ${transactionId}`;
  const names = [...gone, ...stated.map(({ payment }) => payment.transactionId)].map(toName);
  await sql.run(
    `DELETE FROM provider_ids WHERE connection_id = ?
       AND event_id IN (SELECT value FROM json_each(?))`,
    ...[connectionId, JSON.stringify(names)],
  );
  await sql.insert({
    into: 'provider_ids',
    columns: ['connection_id', 'id', 'event_id'],
    rows: stated.flatMap(({ payment, ids = [] }) =>
      ids.map((id) => [connectionId, id, toName(payment.transactionId)]),
    ),
  });
}

/** Saves the other names of a payment, by which reports find it. A bill that was paid in parts is the first of them. */
async function saveIds(
  sql: Sql,
  siteId: string,
  stated: readonly StatedPayment[],
  ids: readonly string[],
): Promise<void> {
  const payments = stated.map(({ payment }) => payment);
  await sql.run(
    `DELETE FROM provided_ids WHERE site_id = ? AND id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(ids)],
  );
  await sql.insert({
    into: 'provided_ids',
    columns: ['site_id', 'id', 'transaction_id'],
    rows: toOtherIds(payments, ids).map((id) => [siteId, id, payments[0]?.transactionId ?? '']),
  });
}

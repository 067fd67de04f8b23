import type { ProvidedPayment } from '#domain/money/provided-payment.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** A payment as it was last stated, and how its visitor was found. */
export type StatedPayment = {
  readonly payment: ProvidedPayment;
  readonly foundBy: string | undefined;
};

/** Writes amounts as text, which JSON cannot round. */
export function toStatedText(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}

/** What was stated of payments with one of these ids. */
export async function findStated(
  sql: Sql,
  siteId: string,
  ids: readonly string[],
): Promise<ProvidedPayment[]> {
  const rows = await sql.arrays(
    `SELECT stated FROM provided_payments
     WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(ids)],
  );
  return rows.map(([stated]) => toPayment(String(stated)));
}

function toPayment(text: string): ProvidedPayment {
  const isMinor = (name: string) => name === 'amountMinor' || name === 'refundedMinor';
  return JSON.parse(text, (name, value) => (isMinor(name) ? BigInt(value) : value));
}

/** Replaces what was stated: payments that are no longer stated leave. */
export async function saveStated(
  sql: Sql,
  { siteId, id: connectionId }: { readonly siteId: string; readonly id: string },
  gone: readonly string[],
  stated: readonly StatedPayment[],
): Promise<void> {
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
    rows: stated.map(({ payment, foundBy }) => {
      return [siteId, payment.transactionId, connectionId, toStatedText(payment), foundBy ?? null];
    }),
    end: `ON CONFLICT (site_id, transaction_id) DO UPDATE SET
      connection_id = excluded.connection_id, stated = excluded.stated, found_by = excluded.found_by`,
  });
}

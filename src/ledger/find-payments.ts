import type { DatabaseSync } from 'node:sqlite';
import { toPaymentRecord, toRefundRecord } from './payment-store.ts';
import type { RecordedPayment } from './project-payment.ts';

/** Payments by the version of their last change. */
export type FindPayments = (
  versions: { readonly after: bigint; readonly upTo: bigint },
  limit: number,
) => RecordedPayment[];

/** SQLite's largest whole number: every version there is. */
export const LAST_VERSION = 2n ** 63n - 1n;

/** A function that finds payments with their refunds, the earliest changed first. */
export function createFindPayments(db: DatabaseSync): FindPayments {
  const changed = db.prepare(
    'SELECT * FROM payments WHERE version > ? AND version <= ? ORDER BY version LIMIT ?',
  );
  const refundsOfChanged = db.prepare(`
    SELECT refunds.*, payments.id AS payment_id FROM payments JOIN refunds
      ON refunds.site_id = payments.site_id
      AND refunds.original_transaction_id = payments.transaction_id
    WHERE payments.version > ? AND payments.version <= ?
    ORDER BY refunds.id`);
  for (const statement of [changed, refundsOfChanged]) statement.setReadBigInts(true);

  return ({ after, upTo }, limit) => {
    const rows = changed.all(after, upTo, limit);
    const last = rows.at(-1)?.version as bigint | undefined;
    if (last === undefined) return [];
    const refundRows = Map.groupBy(refundsOfChanged.all(after, last), (row) => row.payment_id);
    return rows.map((row) => ({
      siteId: String(row.site_id),
      transactionId: String(row.transaction_id),
      record: toPaymentRecord(row),
      version: row.version as bigint,
      refunds: (refundRows.get(row.id ?? null) ?? []).map((refund) => ({
        transactionId: String(refund.transaction_id),
        record: toRefundRecord(refund),
        wasPayment: refund.was_payment === 1n,
      })),
    }));
  };
}

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { PAYMENT_COLUMNS, toPaymentRecord, toRecordedRefund } from './payment-store.ts';
import type { RecordedPayment, RecordedRefund } from './project-payment.ts';

/** Finds payments by the version of their last change. */
export type FindPayments = (
  versions: { readonly after: bigint; readonly upTo: bigint },
  limit: number,
) => RecordedPayment[];

/** SQLite's largest integer, which includes every version. */
export const LAST_VERSION = 2n ** 63n - 1n;

type Values = readonly SQLOutputValue[];

/** The first columns. The record's columns follow. */
const KEYS = ['id', 'site_id', 'transaction_id', 'version'];

/** Creates a function that finds payments with their refunds, earliest change first. */
export function createFindPayments(db: DatabaseSync): FindPayments {
  const changed = db.prepare(`
    SELECT ${[...KEYS, ...PAYMENT_COLUMNS].join(', ')}, EXISTS (
      SELECT 1 FROM refunds WHERE refunds.site_id = payments.site_id
        AND refunds.original_transaction_id = payments.transaction_id)
    FROM payments WHERE version > ? AND version <= ? ORDER BY version LIMIT ?`);
  changed.setReturnArrays(true);
  const refundsOfChanged = db.prepare(`
    SELECT refunds.*, payments.id AS payment_id FROM payments JOIN refunds
      ON refunds.site_id = payments.site_id
      AND refunds.original_transaction_id = payments.transaction_id
    WHERE payments.version > ? AND payments.version <= ?
    ORDER BY refunds.id`);
  for (const statement of [changed, refundsOfChanged]) statement.setReadBigInts(true);

  function findRefunds(after: bigint, upTo: bigint): Map<bigint, RecordedRefund[]> {
    const refundsByPayment = new Map<bigint, RecordedRefund[]>();
    for (const row of refundsOfChanged.all(after, upTo)) {
      const id = row.payment_id as bigint;
      const refunds = refundsByPayment.get(id) ?? [];
      refunds.push(toRecordedRefund(row));
      refundsByPayment.set(id, refunds);
    }
    return refundsByPayment;
  }

  return ({ after, upTo }, limit) => {
    const rows = changed.all(after, upTo, limit) as unknown as Values[];
    const last = rows.at(-1)?.[VERSION] as bigint | undefined;
    if (last === undefined) return [];
    const areRefunded = rows.some((row) => row.at(-1) === 1n);
    const refunds = areRefunded ? findRefunds(after, last) : undefined;
    return rows.map((row) => ({
      siteId: row[1] as string,
      transactionId: row[2] as string,
      record: toPaymentRecord(row, KEYS.length),
      version: row[VERSION] as bigint,
      refunds: refunds?.get(row[0] as bigint) ?? NONE,
    }));
  };
}

const VERSION = KEYS.indexOf('version');
const NONE: readonly RecordedRefund[] = [];

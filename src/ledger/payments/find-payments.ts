import type { Sql } from '#storage/sql/sql.ts';
import { PAYMENTS, REFUND_COLUMNS, toRecordedRefund } from './payment-columns.ts';
import type { RecordedPayment, RecordedRefund } from './project-payment.ts';

/** Includes every version. */
export const LAST_VERSION = Number.MAX_SAFE_INTEGER;

/** VersionRange of a last change: later than one, up to another. */
export type VersionRange = { readonly after: number; readonly upTo: number };

/** The first columns. The record's columns follow. */
const KEYS = ['id', 'site_id', 'transaction_id', 'version', 'is_refunded'] as const;
const NONE: readonly RecordedRefund[] = [];

/** Finds payments with their refunds by the version of their last change, earliest first. All of them without a limit. */
export async function findPayments(
  sql: Sql,
  { after, upTo }: VersionRange,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<RecordedPayment[]> {
  const rows = await sql.arrays(
    `SELECT payments.id, payments.site_id, payments.transaction_id, payments.version,
       CASE WHEN EXISTS (SELECT 1 FROM refunds WHERE refunds.site_id = payments.site_id
         AND refunds.original_transaction_id = payments.transaction_id) THEN 1 ELSE 0 END,
       ${PAYMENTS.columns}
     FROM payments WHERE version > ? AND version <= ? ORDER BY version LIMIT ?`,
    ...[after, upTo, limit],
  );
  const last = rows.at(-1)?.[KEYS.indexOf('version')];
  if (last === undefined) return [];
  const areRefunded = rows.some((row) => row[KEYS.indexOf('is_refunded')] === 1);
  const refunds = areRefunded ? await findRefunds(sql, after, Number(last)) : undefined;
  return rows.map((row) => ({
    siteId: row[1] as string,
    transactionId: row[2] as string,
    record: PAYMENTS.read(row, KEYS.length),
    version: Number(row[3]),
    refunds: refunds?.get(Number(row[0])) ?? NONE,
  }));
}

async function findRefunds(
  sql: Sql,
  after: number,
  upTo: number,
): Promise<Map<number, RecordedRefund[]>> {
  const rows = await sql.arrays(
    `SELECT payments.id, ${REFUND_COLUMNS} FROM payments JOIN refunds
       ON refunds.site_id = payments.site_id
       AND refunds.original_transaction_id = payments.transaction_id
     WHERE payments.version > ? AND payments.version <= ? ORDER BY refunds.id`,
    ...[after, upTo],
  );
  const byPayment = Map.groupBy(rows, (row) => Number(row[0]));
  return new Map(
    [...byPayment].map(([id, of]) => [id, of.map((row) => toRecordedRefund(row, 1))] as const),
  );
}

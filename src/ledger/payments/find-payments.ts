import type { Sql } from '#storage/sql/sql.ts';
import { IN_NUMBERS } from '../schema/in-numbers.ts';
import { PAID_AT } from '../schema/schema.ts';
import { PAYMENT_RECORDS, REFUND_COLUMNS, toRecordedRefund } from './payment-columns.ts';
import type { RecordedPayment, RecordedRefund } from './project-payment.ts';

/** Includes every version. */
export const LAST_VERSION = Number.MAX_SAFE_INTEGER;

/** VersionRange of a last change: later than one, up to another. */
export type VersionRange = { readonly after: number; readonly upTo: number };

/** The first columns. The record's columns follow. */
const KEYS = ['id', 'site_id', 'transaction_id', 'version', 'at', 'is_refunded'] as const;
const NONE: readonly RecordedRefund[] = [];

const IS_REFUNDED = `EXISTS (SELECT 1 FROM refunds WHERE refunds.site_id = payments.site_id
  AND refunds.original_transaction_id = payments.transaction_id)`;

/** Finds payments with their refunds by the version of their last change, earliest first. All of them without a limit. */
export async function findPayments(
  sql: Sql,
  { after, upTo }: VersionRange,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<RecordedPayment[]> {
  const where = 'version > ? AND version <= ? ORDER BY version';
  return (await findWhere(sql, { where, values: [after, upTo], limit })).payments;
}

/** Finds the payments whose last changes have these versions, earliest first. */
export async function findPaymentsAt(
  sql: Sql,
  versions: readonly number[],
): Promise<RecordedPayment[]> {
  const where = `version ${IN_NUMBERS} ORDER BY version`;
  const values = [JSON.stringify(versions)];
  return (await findWhere(sql, { where, values, limit: versions.length })).payments;
}

/** A payment's instant (in milliseconds) and id. */
export type PaymentPlace = { readonly at: number; readonly id: number };

/** Which payments of a site: all, those in other currencies, or these and those with refunds of their own ids. */
export type PaymentScope = keyof typeof IN_SCOPE;

const IS_FOREIGN = 'currency <> (SELECT currency FROM sites WHERE sites.id = payments.site_id)';
const IN_SCOPE = {
  all: '',
  foreign: `AND ${IS_FOREIGN}`,
  foreign_or_refunded: `AND (${IS_FOREIGN} OR ${IS_REFUNDED})`,
} as const;

/** Finds payments of a site behind a place, earliest first, and the place of the last one. */
export function findPaymentsOf(
  sql: Sql,
  siteId: string,
  { scope, at, id }: PaymentPlace & { readonly scope: PaymentScope },
  limit: number,
) {
  const where = `site_id = ? AND ${PAID_AT} >= ? AND (${PAID_AT} > ? OR id > ?) ${IN_SCOPE[scope]}
    ORDER BY ${PAID_AT}, id`;
  return findWhere(sql, { where, values: [siteId, at, at, id], limit });
}

/** Counts payments of a site from an instant on. */
export async function countPaymentsOf(
  sql: Sql,
  siteId: string,
  { scope, at }: Pick<PaymentPlace, 'at'> & { readonly scope: PaymentScope },
): Promise<number> {
  const count = `SELECT count(*) AS n FROM payments
    WHERE site_id = ? AND ${PAID_AT} >= ? ${IN_SCOPE[scope]}`;
  return Number((await sql.get(count, siteId, at))?.n);
}

type Which = {
  readonly where: string;
  readonly values: readonly (string | number)[];
  readonly limit: number;
};

async function findWhere(
  sql: Sql,
  which: Which,
): Promise<{ readonly payments: RecordedPayment[]; readonly last: PaymentPlace | undefined }> {
  const { where, values, limit } = which;
  const rows = await sql.arrays(
    `SELECT id, site_id, transaction_id, version, ${PAID_AT},
       CASE WHEN ${IS_REFUNDED} THEN 1 ELSE 0 END,
       ${PAYMENT_RECORDS.columns}
     FROM payments WHERE ${where} LIMIT ?`,
    ...[...values, limit],
  );
  const areRefunded = rows.some((row) => row[KEYS.indexOf('is_refunded')] === 1);
  const refunds = areRefunded ? await findRefunds(sql, which) : undefined;
  const payments = rows.map((row) => ({
    siteId: row[1] as string,
    transactionId: row[2] as string,
    record: PAYMENT_RECORDS.read(row, KEYS.length),
    version: Number(row[3]),
    refunds: refunds?.get(Number(row[0])) ?? NONE,
  }));
  const last = rows.at(-1);
  return { payments, last: last && { at: Number(last[4]), id: Number(last[0]) } };
}

async function findRefunds(
  sql: Sql,
  { where, values, limit }: Which,
): Promise<Map<number, RecordedRefund[]>> {
  const rows = await sql.arrays(
    `SELECT payments.id, ${REFUND_COLUMNS} FROM payments JOIN refunds
       ON refunds.site_id = payments.site_id
       AND refunds.original_transaction_id = payments.transaction_id
     WHERE payments.id IN (SELECT id FROM payments WHERE ${where} LIMIT ?) ORDER BY refunds.id`,
    ...[...values, limit],
  );
  const byPayment = Map.groupBy(rows, (row) => Number(row[0]));
  return new Map(
    [...byPayment].map(([id, of]) => [id, of.map((row) => toRecordedRefund(row, 1))] as const),
  );
}

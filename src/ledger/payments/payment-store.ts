import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { MergedRecords } from '#domain/money/merge-payment.ts';
import type { OptionalFacts, PaymentRecord, RefundRecord } from '#domain/money/payment-record.ts';
import { REFUND_AT } from '../schema.ts';
import type { RecordedRefund } from './project-payment.ts';

/** Records of payments and refunds. */
export interface PaymentStore {
  findPayment(siteId: string, transactionId: string): PaymentRecord | undefined;
  findRefund(siteId: string, transactionId: string): RefundRecord | undefined;
  /** Inserts a payment if its id is not taken by a payment or refund. Returns whether it did. */
  addPayment(
    siteId: string,
    transactionId: string,
    record: PaymentRecord,
    version: bigint,
  ): boolean;
  /** Saves a payment with its version, by which the warehouse recognizes newer rows. */
  savePayment(siteId: string, transactionId: string, record: PaymentRecord, version: bigint): void;
  /** Saves what a report under this id has changed. */
  saveMerged(siteId: string, transactionId: string, merged: MergedRecords, version: bigint): void;
  /** The refunds with their own ids that name this payment, in the order of recording. */
  findRefunds(siteId: string, transactionId: string): readonly RecordedRefund[];
  /** Deletes a refund that is now saved as a payment with the same id. Carries an erasure over. */
  dropRefund(siteId: string, transactionId: string): void;
  /** Gives a payment a new version, because its refunds have changed. */
  touchPayment(siteId: string, transactionId: string, version: bigint): void;
}

type Row = Record<string, SQLOutputValue>;
type Values = readonly SQLOutputValue[];
type Value = SQLOutputValue | undefined;
type Column<T> = readonly [column: string, field: keyof T, from: (value: Value) => unknown];

const toInstant = (value: Value) => (toOptional(value) === undefined ? undefined : Number(value));
const toOptional = (value: Value) => value ?? undefined;
const asItIs = (value: Value) => value;
const toBoolean = (value: Value) => value === 1n;

const FACT_COLUMNS: readonly Column<OptionalFacts>[] = [
  ['visitor_id', 'visitorId', toOptional],
  ['email', 'email', toOptional],
  ['name', 'name', toOptional],
  ['customer_id', 'customerId', toOptional],
  ['subscription_id', 'subscriptionId', toOptional],
  ['product', 'product', toOptional],
];

/** Columns that an erasure clears for good. */
export const PERSONAL_COLUMNS: readonly string[] = ['visitor_id', 'email', 'name', 'customer_id'];

const PAYMENT_FIELDS: readonly Column<PaymentRecord>[] = [
  ['currency', 'currency', asItIs],
  ['stated_minor', 'statedMinor', toOptional],
  ['refund_stated_minor', 'refundStatedMinor', toOptional],
  ['other_refunds_minor', 'otherRefundsMinor', asItIs],
  ['renewal', 'renewal', toBoolean],
  ['visitor_corrected', 'isVisitorCorrected', toBoolean],
  ['voided_at', 'voidedAt', toInstant],
  ['paid_at', 'paidAt', toInstant],
  ['received_at', 'receivedAt', toInstant],
  ['refunded_at', 'refundedAt', toInstant],
  ['refund_received_at', 'refundReceivedAt', toInstant],
  ...FACT_COLUMNS,
];

/** The columns of a payment record, in the order in which `toPaymentRecord` reads them. */
export const PAYMENT_COLUMNS: readonly string[] = PAYMENT_FIELDS.map(([column]) => column);

const REFUND_COLUMNS: readonly Column<RefundRecord>[] = [
  ['original_transaction_id', 'originalTransactionId', asItIs],
  ['currency', 'currency', asItIs],
  ['amount_minor', 'amountMinor', asItIs],
  ['matched', 'isMatched', toBoolean],
  ['refunded_at', 'refundedAt', toInstant],
  ['paid_at', 'paidAt', toInstant],
  ['received_at', 'receivedAt', toInstant],
  ...FACT_COLUMNS,
];

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createPaymentStore(db: DatabaseSync): PaymentStore {
  const isTheirs = 'site_id = ? AND transaction_id = ?';
  const findPayment = db.prepare(
    `SELECT ${PAYMENT_COLUMNS.join(', ')} FROM payments WHERE ${isTheirs}`,
  );
  findPayment.setReturnArrays(true);
  const findRefund = db.prepare(`SELECT * FROM refunds WHERE ${isTheirs}`);
  const findRefunds = db.prepare(
    'SELECT * FROM refunds WHERE site_id = ? AND original_transaction_id = ? ORDER BY id',
  );
  for (const find of [findPayment, findRefund, findRefunds]) find.setReadBigInts(true);
  const addPayment = prepareAddPayment(db);
  const savePayment = prepareSave(db, 'payments', [...PAYMENT_COLUMNS, 'version']);
  const saveRefund = prepareSave(
    db,
    'refunds',
    REFUND_COLUMNS.map(([column]) => column),
  );
  const cleared = PERSONAL_COLUMNS.map((column) => `${column} = NULL`).join(', ');
  const carryErasure = (from: string, to: string) =>
    db.prepare(`
      UPDATE ${to} SET ${cleared}, erased_at = ${from}.erased_at FROM ${from}
      WHERE ${to}.site_id = ? AND ${to}.transaction_id = ? AND ${from}.erased_at IS NOT NULL
        AND ${from}.site_id = ${to}.site_id AND ${from}.transaction_id = ${to}.transaction_id`);
  const carryToRefund = carryErasure('payments', 'refunds');
  const carryToPayment = carryErasure('refunds', 'payments');
  const markDropped = db.prepare(
    'UPDATE refunds SET was_payment = 1 WHERE site_id = ? AND transaction_id = ?',
  );
  const dropPayment = db.prepare(`DELETE FROM payments WHERE ${isTheirs}`);
  const dropRefund = db.prepare(`DELETE FROM refunds WHERE ${isTheirs}`);
  const touch = db.prepare(`
    UPDATE payments SET version = ?, first_refund_at = (
      SELECT min(${REFUND_AT}) FROM refunds WHERE refunds.site_id = payments.site_id
        AND original_transaction_id = payments.transaction_id)
    WHERE ${isTheirs}`);

  function save(siteId: string, transactionId: string, record: PaymentRecord, version: bigint) {
    savePayment.run(siteId, transactionId, ...valuesOf(PAYMENT_FIELDS, record), version);
  }

  return {
    findPayment(siteId, transactionId) {
      const row = findPayment.get(siteId, transactionId);
      return row && toPaymentRecord(row as unknown as Values);
    },
    findRefund(siteId, transactionId) {
      const row = findRefund.get(siteId, transactionId);
      return row && toRefundRecord(row);
    },
    addPayment(siteId, transactionId, record, version) {
      const values = valuesOf(PAYMENT_FIELDS, record);
      return addPayment.run(siteId, transactionId, ...values, version).changes === 1;
    },
    savePayment: save,
    saveMerged(siteId, transactionId, { payment, refund, original, dropsPayment }, version) {
      if (payment !== undefined) save(siteId, transactionId, payment, version);
      if (refund === undefined) return;
      saveRefund.run(siteId, transactionId, ...valuesOf(REFUND_COLUMNS, refund));
      if (dropsPayment) {
        for (const each of [carryToRefund, markDropped, dropPayment]) {
          each.run(siteId, transactionId);
        }
      }
      const { originalTransactionId: originalId } = refund;
      if (original !== undefined) save(siteId, originalId, original, version);
      touch.run(version, siteId, originalId);
    },
    findRefunds: (siteId, paymentId) => findRefunds.all(siteId, paymentId).map(toRecordedRefund),
    dropRefund(siteId, transactionId) {
      for (const each of [carryToPayment, dropRefund]) each.run(siteId, transactionId);
    },
    touchPayment(siteId, transactionId, version) {
      touch.run(version, siteId, transactionId);
    },
  };
}

/**
 * Reads a payment record from an array of the `PAYMENT_COLUMNS`, starting at index `first`. Integers are BigInt.
 *
 * Why by position: Node's SQLite rows by name are dictionary-mode objects. Creating and reading them costs more
 * than everything else about a payment.
 */
export function toPaymentRecord(values: Values, first = 0): PaymentRecord {
  return toRecord(PAYMENT_FIELDS, (_, index) => values[first + index]);
}

/** Reads a row of `refunds`. Integers are BigInt. */
export function toRecordedRefund(row: Row): RecordedRefund {
  const transactionId = String(row.transaction_id);
  return { transactionId, record: toRefundRecord(row), wasPayment: row.was_payment === 1n };
}

function toRefundRecord(row: Row): RefundRecord {
  return toRecord(REFUND_COLUMNS, (column) => row[column]);
}

function toRecord<T>(
  columns: readonly Column<T>[],
  read: (column: string, index: number) => Value,
): T {
  const record: Partial<Record<keyof T, unknown>> = {};
  for (const [index, [column, field, from]] of columns.entries()) {
    record[field] = from(read(column, index));
  }
  return record as T;
}

function valuesOf<T>(columns: readonly Column<T>[], record: T): SQLInputValue[] {
  return columns.map(([, field]) => {
    const value = record[field] as SQLInputValue | boolean | undefined;
    return typeof value === 'boolean' ? Number(value) : (value ?? null);
  });
}

/**
 * Inserts a payment unless its id is taken. If a refund has the id, `site_id` becomes NULL, which the table
 * rejects.
 *
 * Why not `INSERT … SELECT … WHERE NOT EXISTS`: SQLite would keep a copy of each page that it changes.
 */
function prepareAddPayment(db: DatabaseSync): StatementSync {
  const columns = [...PAYMENT_COLUMNS, 'version'];
  return db.prepare(`
    INSERT OR IGNORE INTO payments (site_id, transaction_id, ${columns.join(', ')})
    VALUES (
      iif(EXISTS (SELECT 1 FROM refunds WHERE site_id = ?1 AND transaction_id = ?2), NULL, ?1),
      ?2, ${columns.map(() => '?').join(', ')})`);
}

function prepareSave(
  db: DatabaseSync,
  table: 'payments' | 'refunds',
  columns: readonly string[],
): StatementSync {
  const all = ['site_id', 'transaction_id', ...columns];
  const toUpdate = (column: string) =>
    PERSONAL_COLUMNS.includes(column)
      ? `${column} = CASE WHEN erased_at IS NULL THEN excluded.${column} END`
      : `${column} = excluded.${column}`;
  return db.prepare(`
    INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
    ON CONFLICT (site_id, transaction_id)
    DO UPDATE SET ${columns.map(toUpdate).join(', ')}`);
}

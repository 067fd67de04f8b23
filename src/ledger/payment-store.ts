import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { OptionalFacts, PaymentRecord, RefundRecord } from '#domain/money/payment-record.ts';

/** Payments and refunds as they are on record. */
export interface PaymentStore {
  findPayment(siteId: string, transactionId: string): PaymentRecord | undefined;
  findRefund(siteId: string, transactionId: string): RefundRecord | undefined;
  /** Saves the payment if nothing is on record under its id, neither payment nor refund. */
  addPayment(
    siteId: string,
    transactionId: string,
    record: PaymentRecord,
    version: bigint,
  ): boolean;
  /** Also gives the payment the version, by which the warehouse knows newer rows. */
  savePayment(siteId: string, transactionId: string, record: PaymentRecord, version: bigint): void;
  saveRefund(siteId: string, transactionId: string, record: RefundRecord): void;
  /** Whether any refund with an id of its own names this payment. */
  hasRefunds(siteId: string, transactionId: string): boolean;
  /** Takes a payment away that is the refund saved under the same id; an erasure still holds. */
  dropPayment(siteId: string, transactionId: string): void;
  /** A payment whose refunds have changed, though it has not. */
  touchPayment(siteId: string, transactionId: string, version: bigint): void;
}

type Row = Record<string, SQLOutputValue>;
type Column<T> = readonly [
  column: string,
  field: keyof T,
  from: (value: SQLOutputValue) => unknown,
];

const toInstant = (value: SQLOutputValue) => (value === null ? undefined : Number(value));
const toOptional = (value: SQLOutputValue) => value ?? undefined;
const asItIs = (value: SQLOutputValue) => value;

const FACT_COLUMNS: readonly Column<OptionalFacts>[] = [
  ['visitor_id', 'visitorId', toOptional],
  ['email', 'email', toOptional],
  ['name', 'name', toOptional],
  ['customer_id', 'customerId', toOptional],
  ['subscription_id', 'subscriptionId', toOptional],
  ['product', 'product', toOptional],
];

/** What an erasure takes away, for ever. */
export const PERSONAL_COLUMNS: readonly string[] = ['visitor_id', 'email', 'name', 'customer_id'];

const PAYMENT_COLUMNS: readonly Column<PaymentRecord>[] = [
  ['currency', 'currency', asItIs],
  ['stated_minor', 'statedMinor', toOptional],
  ['refund_stated_minor', 'refundStatedMinor', toOptional],
  ['other_refunds_minor', 'otherRefundsMinor', asItIs],
  ['renewal', 'renewal', (value) => value === 1n],
  ['paid_at', 'paidAt', toInstant],
  ['received_at', 'receivedAt', toInstant],
  ['refunded_at', 'refundedAt', toInstant],
  ['refund_received_at', 'refundReceivedAt', toInstant],
  ...FACT_COLUMNS,
];

const REFUND_COLUMNS: readonly Column<RefundRecord>[] = [
  ['original_transaction_id', 'originalTransactionId', asItIs],
  ['currency', 'currency', asItIs],
  ['amount_minor', 'amountMinor', asItIs],
  ['refunded_at', 'refundedAt', toInstant],
  ['paid_at', 'paidAt', toInstant],
  ['received_at', 'receivedAt', toInstant],
  ...FACT_COLUMNS,
];

/** The store on a connection to the ledger. Its writes belong in the caller's transaction. */
export function createPaymentStore(db: DatabaseSync): PaymentStore {
  const findPayment = prepareFind(db, 'payments');
  const findRefund = prepareFind(db, 'refunds');
  const addPayment = prepareAddPayment(db);
  const savePayment = prepareSave(db, 'payments', [...namesOf(PAYMENT_COLUMNS), 'version']);
  const saveRefund = prepareSave(db, 'refunds', namesOf(REFUND_COLUMNS));
  const findRefundOf = db.prepare(
    'SELECT 1 FROM refunds WHERE site_id = ? AND original_transaction_id = ? LIMIT 1',
  );
  const cleared = PERSONAL_COLUMNS.map((column) => `${column} = NULL`).join(', ');
  const carryErasure = db.prepare(`
    UPDATE refunds SET ${cleared}, erased_at = payments.erased_at FROM payments
    WHERE refunds.site_id = ? AND refunds.transaction_id = ? AND payments.erased_at IS NOT NULL
      AND payments.site_id = refunds.site_id AND payments.transaction_id = refunds.transaction_id`);
  const markDropped = db.prepare(
    'UPDATE refunds SET was_payment = 1 WHERE site_id = ? AND transaction_id = ?',
  );
  const drop = db.prepare('DELETE FROM payments WHERE site_id = ? AND transaction_id = ?');
  const touch = db.prepare(
    'UPDATE payments SET version = ? WHERE site_id = ? AND transaction_id = ?',
  );

  return {
    findPayment(siteId, transactionId) {
      const row = findPayment.get(siteId, transactionId);
      return row && toPaymentRecord(row);
    },
    findRefund(siteId, transactionId) {
      const row = findRefund.get(siteId, transactionId);
      return row && toRefundRecord(row);
    },
    addPayment(siteId, transactionId, record, version) {
      const values = valuesOf(record, PAYMENT_COLUMNS);
      return addPayment.run(siteId, transactionId, ...values, version).changes === 1;
    },
    savePayment(siteId, transactionId, record, version) {
      savePayment.run(siteId, transactionId, ...valuesOf(record, PAYMENT_COLUMNS), version);
    },
    saveRefund(siteId, transactionId, record) {
      saveRefund.run(siteId, transactionId, ...valuesOf(record, REFUND_COLUMNS));
    },
    hasRefunds: (siteId, transactionId) => findRefundOf.get(siteId, transactionId) !== undefined,
    dropPayment(siteId, transactionId) {
      for (const each of [carryErasure, markDropped, drop]) each.run(siteId, transactionId);
    },
    touchPayment(siteId, transactionId, version) {
      touch.run(version, siteId, transactionId);
    },
  };
}

/** A row of `payments`, its integers read as BigInt. */
export function toPaymentRecord(row: Row): PaymentRecord {
  return toRecord(row, PAYMENT_COLUMNS);
}

/** A row of `refunds`, its integers read as BigInt. */
export function toRefundRecord(row: Row): RefundRecord {
  return toRecord(row, REFUND_COLUMNS);
}

function toRecord<T>(row: Row, columns: readonly Column<T>[]): T {
  const record: Partial<Record<keyof T, unknown>> = {};
  for (const [column, field, from] of columns) record[field] = from(row[column] ?? null);
  return record as T;
}

function valuesOf<T>(record: T, columns: readonly Column<T>[]): SQLInputValue[] {
  return columns.map(([, field]) => toSql(record[field]));
}

function toSql(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return (value ?? null) as SQLInputValue;
}

function namesOf<T>(columns: readonly Column<T>[]): string[] {
  return columns.map(([column]) => column);
}

function prepareFind(db: DatabaseSync, table: 'payments' | 'refunds'): StatementSync {
  const find = db.prepare(`SELECT * FROM ${table} WHERE site_id = ? AND transaction_id = ?`);
  find.setReadBigInts(true);
  return find;
}

/**
 * Inserts nothing under an id that is taken: `site_id` may not be null.
 *
 * Why not `INSERT … SELECT … WHERE NOT EXISTS`: SQLite would keep a copy of each page that it changes.
 */
function prepareAddPayment(db: DatabaseSync): StatementSync {
  const columns = [...namesOf(PAYMENT_COLUMNS), 'version'];
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

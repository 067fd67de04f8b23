import type { OptionalFacts, PaymentRecord, RefundRecord } from '#domain/money/payment-record.ts';
import type { SqlValue } from '#storage/sql/sql.ts';
import type { RecordedRefund } from './project-payment.ts';

type Values = readonly SqlValue[];
type Value = SqlValue | undefined;
type Column<T> = readonly [column: string, field: keyof T, from: (value: Value) => unknown];

const toOptional = (value: Value) => value ?? undefined;
const toInstant = (value: Value) => (value == null ? undefined : Number(value));
const toMinor = (value: Value) => (value == null ? undefined : BigInt(value as string));
const asItIs = (value: Value) => value;
const toBoolean = (value: Value) => value === 1;

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

/** The columns of a payment record, and how they are read. */
export const PAYMENT_FIELDS: readonly Column<PaymentRecord>[] = [
  ['currency', 'currency', asItIs],
  ['stated_minor', 'statedMinor', toMinor],
  ['refund_stated_minor', 'refundStatedMinor', toMinor],
  ['other_refunds_minor', 'otherRefundsMinor', toMinor],
  ['renewal', 'renewal', toBoolean],
  ['visitor_corrected', 'isVisitorCorrected', toBoolean],
  ['voided_at', 'voidedAt', toInstant],
  ['provider', 'provider', toOptional],
  ['same_as', 'sameAs', toOptional],
  ['paid_at', 'paidAt', toInstant],
  ['received_at', 'receivedAt', toInstant],
  ['refunded_at', 'refundedAt', toInstant],
  ['refund_received_at', 'refundReceivedAt', toInstant],
  ['refund_total_at', 'refundTotalAt', toInstant],
  ...FACT_COLUMNS,
];

/** The columns of a refund record, and how they are read. */
export const REFUND_FIELDS: readonly Column<RefundRecord>[] = [
  ['original_transaction_id', 'originalTransactionId', asItIs],
  ['currency', 'currency', asItIs],
  ['amount_minor', 'amountMinor', toMinor],
  ['matched', 'isMatched', toBoolean],
  ['is_dispute', 'isDispute', toBoolean],
  ['withdrawn_at', 'withdrawnAt', toInstant],
  ['refunded_at', 'refundedAt', toInstant],
  ['paid_at', 'paidAt', toInstant],
  ['received_at', 'receivedAt', toInstant],
  ...FACT_COLUMNS,
];

/** The columns that `toPaymentRecord` reads. */
export const PAYMENT_COLUMNS = toSelected(PAYMENT_FIELDS, 'payments');
/** The columns that `toRecordedRefund` reads. */
export const REFUND_COLUMNS = `refunds.transaction_id, refunds.was_payment, ${toSelected(REFUND_FIELDS, 'refunds')}`;

/** How payments are written: with these columns, the newest values win. */
export const PAYMENT_INSERT = toInsert('payments', [
  ...PAYMENT_FIELDS.map(([column]) => column),
  'version',
]);
/** How refunds are written. */
export const REFUND_INSERT = toInsert(
  'refunds',
  REFUND_FIELDS.map(([column]) => column),
);

/** Reads a payment record from the `PAYMENT_COLUMNS` of a row, which begin at index `first`. */
export function toPaymentRecord(row: Values, first: number): PaymentRecord {
  return toRecord(PAYMENT_FIELDS, row, first);
}

/** Reads a refund from the `REFUND_COLUMNS` of a row, which begin at index `first`. */
export function toRecordedRefund(row: Values, first = 0): RecordedRefund {
  return {
    transactionId: String(row[first]),
    record: toRecord(REFUND_FIELDS, row, first + 2),
    wasPayment: row[first + 1] === 1,
  };
}

function toRecord<T>(columns: readonly Column<T>[], row: Values, first: number): T {
  const record: Partial<Record<keyof T, unknown>> = {};
  for (const [index, [, field, from]] of columns.entries()) {
    record[field] = from(row[first + index]);
  }
  return record as T;
}

/** The values of a record, in the order of its columns. */
export function valuesOf<T>(columns: readonly Column<T>[], record: T): SqlValue[] {
  return columns.map(([, field]) => {
    const value = record[field] as SqlValue | boolean | undefined;
    return typeof value === 'boolean' ? Number(value) : (value ?? null);
  });
}

/** Amounts are read as text, because they may be larger than an exact number. */
function toSelected<T>(columns: readonly Column<T>[], table: string): string {
  return columns
    .map(([column, , from]) =>
      from === toMinor ? `CAST(${table}.${column} AS TEXT)` : `${table}.${column}`,
    )
    .join(', ');
}

function toInsert(into: 'payments' | 'refunds', columns: readonly string[]) {
  const toUpdate = (column: string) =>
    PERSONAL_COLUMNS.includes(column)
      ? `${column} = CASE WHEN ${into}.erased_at IS NULL THEN excluded.${column} END`
      : `${column} = excluded.${column}`;
  const end = `ON CONFLICT (site_id, transaction_id) DO UPDATE SET ${columns.map(toUpdate).join(', ')}`;
  return { into, columns: ['site_id', 'transaction_id', ...columns], end };
}

import type { PaymentOfPerson } from '#domain/identity/known-person.ts';
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

/** Records of payments. With `version`, the newest values win. */
export const PAYMENT_RECORDS = describeTable<PaymentRecord>(
  'payments',
  ['version'],
  [
    ['currency', 'currency', asItIs],
    ['stated_minor', 'statedMinor', toMinor],
    ['refund_stated_minor', 'refundStatedMinor', toMinor],
    ['other_refunds_minor', 'otherRefundsMinor', toMinor],
    ['renewal', 'renewal', toBoolean],
    ['visitor_corrected', 'isVisitorCorrected', toBoolean],
    ['voided_at', 'voidedAt', toInstant],
    ['provider', 'provider', toOptional],
    ['provider_rate', 'providerRate', toOptional],
    ['same_as', 'sameAs', toOptional],
    ['paid_at', 'paidAt', toInstant],
    ['received_at', 'receivedAt', toInstant],
    ['refunded_at', 'refundedAt', toInstant],
    ['refund_received_at', 'refundReceivedAt', toInstant],
    ['refund_total_at', 'refundTotalAt', toInstant],
    ...FACT_COLUMNS,
  ],
);

/** Records of refunds. */
export const REFUND_RECORDS = describeTable<RefundRecord>(
  'refunds',
  [],
  [
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
  ],
);

/** The columns that `toPaymentOfPerson` reads last. */
export const FACTS = FACT_COLUMNS.map(([column]) => column).join(', ');

const OF_PERSON: readonly Column<PaymentOfPerson>[] = [
  ['transaction_id', 'transactionId', asItIs],
  ['original_transaction_id', 'originalTransactionId', toOptional],
  ['currency', 'currency', asItIs],
  ['amount_minor', 'amountMinor', toMinor],
  ['refunded_minor', 'refundedMinor', toMinor],
  ['renewal', 'renewal', toBoolean],
  ['paid_at', 'paidAt', toInstant],
  ...FACT_COLUMNS,
];

/** Reads a payment or refund of a person from a row with these columns. */
export function toPaymentOfPerson(row: Values): PaymentOfPerson {
  return toRecord(OF_PERSON, row, 0);
}

/** The columns that `toRecordedRefund` reads. */
export const REFUND_COLUMNS = `refunds.transaction_id, refunds.was_payment, ${REFUND_RECORDS.columns}`;

/** Reads a refund from the `REFUND_COLUMNS` of a row, which begin at index `first`. */
export function toRecordedRefund(row: Values, first = 0): RecordedRefund {
  return {
    transactionId: String(row[first]),
    record: REFUND_RECORDS.read(row, first + 2),
    wasPayment: row[first + 1] === 1,
  };
}

function describeTable<T>(
  table: 'payments' | 'refunds',
  further: readonly string[],
  columns: readonly Column<T>[],
) {
  // Amounts are read as text, because they may be larger than an exact number.
  const toSelected = ([column, , from]: Column<T>) =>
    from === toMinor ? `CAST(${table}.${column} AS TEXT)` : `${table}.${column}`;
  return {
    columns: columns.map(toSelected).join(', '),
    /** How records are written, from their site, id and values, and the further columns. */
    insert: toInsert(table, [...columns.map(([column]) => column), ...further]),
    /** Reads a record from the columns of a row, which begin at index `first`. */
    read: (row: Values, first: number) => toRecord(columns, row, first),
    valuesOf: (record: T): SqlValue[] =>
      columns.map(([, field]) => {
        const value = record[field] as SqlValue | boolean | undefined;
        return typeof value === 'boolean' ? Number(value) : (value ?? null);
      }),
  };
}

function toRecord<T>(columns: readonly Column<T>[], row: Values, first: number): T {
  const record: Partial<Record<keyof T, unknown>> = {};
  let index = first;
  for (const [, field, from] of columns) record[field] = from(row[index++]);
  return record as T;
}

function toInsert(into: 'payments' | 'refunds', columns: readonly string[]) {
  const toUpdate = (column: string) =>
    PERSONAL_COLUMNS.includes(column)
      ? `${column} = CASE WHEN ${into}.erased_at IS NULL THEN excluded.${column} END`
      : `${column} = excluded.${column}`;
  const end = `ON CONFLICT (site_id, transaction_id) DO UPDATE SET ${columns.map(toUpdate).join(', ')}`;
  return { into, columns: ['site_id', 'transaction_id', ...columns], end };
}

import type { PaymentOfPerson } from '#domain/identity/known-person.ts';
import type { OptionalFacts, PaymentRecord, RefundRecord } from '#domain/money/payment-record.ts';
import type { SqlValue } from '#storage/sql/sql.ts';
import type { RecordedRefund } from './project-payment.ts';

type Values = readonly SqlValue[];
/** `from` is not asked for columns without a value: their fields are `undefined`. */
type Column<T> = readonly [column: string, field: keyof T, from: (value: SqlValue) => unknown];

const toInstant = (value: SqlValue) => Number(value);
const toMinor = (value: SqlValue) => BigInt(value as string);
const asItIs = (value: SqlValue) => value;
const toBoolean = (value: SqlValue) => value === 1;

const FACT_COLUMNS: readonly Column<OptionalFacts>[] = [
  ['visitor_id', 'visitorId', asItIs],
  ['email', 'email', asItIs],
  ['name', 'name', asItIs],
  ['customer_id', 'customerId', asItIs],
  ['subscription_id', 'subscriptionId', asItIs],
  ['product', 'product', asItIs],
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
    ['provider', 'provider', asItIs],
    ['provider_rate', 'providerRate', asItIs],
    ['same_as', 'sameAs', asItIs],
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
  ['original_transaction_id', 'originalTransactionId', asItIs],
  ['currency', 'currency', asItIs],
  ['amount_minor', 'amountMinor', toMinor],
  ['refunded_minor', 'refundedMinor', toMinor],
  ['renewal', 'renewal', toBoolean],
  ['paid_at', 'paidAt', toInstant],
  ...FACT_COLUMNS,
];

/** Reads a payment or refund of a person from a row with these columns. */
export const toPaymentOfPerson = createToRecord(OF_PERSON);

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
    read: createToRecord(columns),
    valuesOf: (record: T): SqlValue[] =>
      columns.map(([, field]) => {
        const value = record[field] as SqlValue | boolean | undefined;
        return typeof value === 'boolean' ? Number(value) : (value ?? null);
      }),
  };
}

/** Most columns of a record are empty: it begins as a copy of an empty one, which the engine makes at once. */
function createToRecord<T>(columns: readonly Column<T>[]) {
  const empty = Object.fromEntries(columns.map(([, field]) => [field, undefined]));
  return (row: Values, first = 0): T => {
    const record: Record<PropertyKey, unknown> = { ...empty };
    for (let index = 0; index < columns.length; index++) {
      const value = row[first + index];
      if (value === undefined || value === null) continue;
      const [, field, from] = columns[index] as Column<T>;
      record[field] = from(value);
    }
    return record as T;
  };
}

function toInsert(into: 'payments' | 'refunds', columns: readonly string[]) {
  const toUpdate = (column: string) =>
    PERSONAL_COLUMNS.includes(column)
      ? `${column} = CASE WHEN ${into}.erased_at IS NULL THEN excluded.${column} END`
      : `${column} = excluded.${column}`;
  const end = `ON CONFLICT (site_id, transaction_id) DO UPDATE SET ${columns.map(toUpdate).join(', ')}`;
  return { into, columns: ['site_id', 'transaction_id', ...columns], end };
}

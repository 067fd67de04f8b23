import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  KnownPayment,
  KnownRefund,
  PaidIn,
  PaymentChange,
  PaymentFilter,
  PaymentPosition,
  PaymentSum,
  WantedPayments,
} from '#domain/money/known-payment.ts';
import {
  ownRefundAtOf,
  type PaymentRecord,
  refundAtOf,
  totalsOf,
} from '#domain/money/payment-record.ts';
import type { PaymentStatus } from '#domain/money/payment-status.ts';
import type { Sql, SqlRow, SqlValue } from '#storage/sql/sql.ts';
import { PAID_AT } from '../schema/schema.ts';
import { PAYMENT_RECORDS, REFUND_COLUMNS, toRecordedRefund } from './payment-columns.ts';
import { askedOf, REFUNDED, readsAll, STATUS, spanOf } from './payment-filter.ts';
import type { RecordedRefund } from './project-payment.ts';

/** Few are unmatched or voided: an index and the log of changes find them, not the time of payment. */
const UNCOUNTED = [
  `stated_minor IS NULL AND voided_at IS NULL AND currency <> '' AND ${PAID_AT} BETWEEN ?2 AND ?3`,
  `voided_at IS NOT NULL AND transaction_id IN (
     SELECT transaction_id FROM payment_changes WHERE site_id = ?1 AND change = 'void')
     AND +${PAID_AT} BETWEEN ?2 AND ?3`,
];

/** Payments read before yielding, so that requests do not wait for a search. */
const ROWS_AT_ONCE = 2_000;

/** A page, or a part of it that ends with a position. */
type Stretch = WantedPayments & { readonly upTo?: PaymentPosition | undefined };

/** Before every payment, and behind. */
const FIRST: PaymentPosition = { paidAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
const LAST: PaymentPosition = { paidAt: 0, id: 0 };

const LISTED = `id, transaction_id, ${STATUS} AS status, ${PAID_AT} AS paid, ${PAYMENT_RECORDS.columns}`;
/** Where the record's columns begin. */
const RECORD_AT = 4;

/** Begins with the few keys that are asked for: SQLite would rather read every visitor of the site in order. */
export const VISITORS_OF = `WITH own AS (
    SELECT kind, key, person FROM person_keys
    WHERE site_id = ?1 AND kind = 'transaction' AND key IN (SELECT value FROM json_each(?2))
    UNION ALL SELECT kind, key, person FROM person_keys
    WHERE site_id = ?1 AND kind = 'visitor' AND key IN (SELECT value FROM json_each(?3)))
  SELECT own.kind, own.key, other.key AS visitor FROM own CROSS JOIN person_keys AS other
  WHERE other.person = own.person AND other.site_id = ?1 AND other.kind = 'visitor'
  ORDER BY other.key`;

/** Creates the list on a ledger connection. */
export function createPaymentList(sql: Sql) {
  /** What else is known of payments, read for all of them at once. */
  async function toPayments(siteId: string, rows: readonly SqlValue[][]): Promise<KnownPayment[]> {
    if (rows.length === 0) return [];
    const listed = rows.map((row) => toListed(row));
    const ids = JSON.stringify(listed.map(({ transactionId }) => transactionId));
    const visitors = listed.flatMap(({ record }) => record.visitorId ?? []);
    const refunds = await sql.arrays(
      `SELECT original_transaction_id, ${REFUND_COLUMNS} FROM refunds
       WHERE site_id = ?1 AND original_transaction_id IN (SELECT value FROM json_each(?2))
         AND withdrawn_at IS NULL
       ORDER BY id`,
      ...[siteId, ids],
    );
    const refundsOf = Map.groupBy(refunds, (row) => row[0]);
    const changes = await sql.all(
      `SELECT * FROM payment_changes
       WHERE site_id = ?1 AND transaction_id IN (SELECT value FROM json_each(?2)) ORDER BY id`,
      ...[siteId, ids],
    );
    const changesOf = Map.groupBy(changes, (row) => row.transaction_id);
    const visitorsOf = await findVisitors(siteId, ids, JSON.stringify(visitors));
    return listed.map(({ transactionId, record, ...payment }) => {
      const visitor = record.visitorId ?? '';
      const joined =
        visitorsOf.get(`visitor ${visitor}`) ??
        visitorsOf.get(`transaction ${transactionId}`) ??
        [];
      const others = refundsOf.get(transactionId) ?? [];
      return {
        ...{ ...payment, transactionId, record },
        refunds: [
          ...findOwnRefund(transactionId, record),
          ...others.map((row) => toListedRefund(toRecordedRefund(row, 1))),
        ],
        visitorIds: joined.length > 0 || visitor === '' ? joined : [visitor],
        changes: (changesOf.get(transactionId) ?? []).map(toChange),
      };
    });
  }

  async function readRows(siteId: string, filter: PaymentFilter, page: Stretch) {
    const { beyond = FIRST, upTo: last = LAST, limit, paid = {}, statuses } = page;
    const asked = askedOf(filter);
    const isIn = statuses === undefined ? '' : `AND ${STATUS} IN (${statuses.map(() => '?')})`;
    const { from, upTo } = spanOf(paid);
    // The bounds let the index find the page; the pairs decide between payments of one instant.
    const within = [Math.max(last.paidAt, from), Math.min(beyond.paidAt, upTo)];
    const pairs = [beyond.paidAt, beyond.id, last.paidAt, last.id];
    return sql.arrays(
      `SELECT ${LISTED} FROM payments
       WHERE site_id = ?${asked.where} ${isIn} AND currency != ''
         AND ${PAID_AT} BETWEEN ? AND ?
         AND (${PAID_AT}, id) < (?, ?) AND (${PAID_AT}, id) >= (?, ?)
       ORDER BY ${PAID_AT} DESC, id DESC LIMIT ?`,
      ...[siteId, ...asked.values, ...(statuses ?? []), ...within, ...pairs, limit],
    );
  }

  /** Finds where {@link ROWS_AT_ONCE} payments beyond a position end; undefined if there are fewer. */
  async function findPosition(siteId: string, { beyond = FIRST, paid = {} }: Stretch) {
    const { from, upTo } = spanOf(paid);
    const row = await sql.get(
      `SELECT ${PAID_AT} AS paid, id FROM payments
       WHERE site_id = ? AND ${PAID_AT} BETWEEN ? AND ? AND (${PAID_AT}, id) < (?, ?)
       ORDER BY ${PAID_AT} DESC, id DESC LIMIT 1 OFFSET ${ROWS_AT_ONCE - 1}`,
      ...[siteId, from, Math.min(beyond.paidAt, upTo), beyond.paidAt, beyond.id],
    );
    return row && { paidAt: Number(row.paid), id: Number(row.id) };
  }

  /** The visitors of the persons of visitors and transactions, by their kind and key. */
  async function findVisitors(siteId: string, ids: string, visitors: string) {
    const rows = await sql.all(VISITORS_OF, ...[siteId, ids, visitors]);
    const byKey = Map.groupBy(rows, ({ kind, key }) => `${kind} ${key}`);
    return new Map([...byKey].map(([key, of]) => [key, of.map(({ visitor }) => String(visitor))]));
  }

  return {
    async listPayments(
      siteId: string,
      filter: PaymentFilter,
      page: WantedPayments,
    ): Promise<readonly KnownPayment[]> {
      if (!readsAll(filter)) return toPayments(siteId, await readRows(siteId, filter, page));
      const rows: SqlValue[][] = [];
      for (let beyond = page.beyond; ; await nextTurn()) {
        const upTo = await findPosition(siteId, { ...page, beyond });
        const limit = page.limit - rows.length;
        rows.push(...(await readRows(siteId, filter, { ...page, beyond, upTo, limit })));
        if (upTo === undefined || rows.length >= page.limit) return toPayments(siteId, rows);
        beyond = upTo;
      }
    },
    async sumUncounted(
      siteId: string,
      filter: PaymentFilter,
      paid: PaidIn,
    ): Promise<readonly PaymentSum[]> {
      const asked = askedOf(filter);
      const { from, upTo } = spanOf(paid);
      const found: SqlRow[] = [];
      for (const which of UNCOUNTED) {
        const sums = await sql.all(
          `SELECT ${STATUS} AS status, currency, count(*) AS payments,
             CAST(sum(coalesce(stated_minor, ${REFUNDED})) AS TEXT) AS amount,
             CAST(sum(${REFUNDED}) AS TEXT) AS refunded
           FROM payments
           WHERE site_id = ?1 AND ${which}${asked.where}
           GROUP BY status, currency ORDER BY currency`,
          ...[siteId, from, upTo, ...asked.values],
        );
        found.push(...sums);
      }
      return found.map(({ status, currency, payments, amount, refunded }) => ({
        status: status as PaymentStatus,
        currency: String(currency),
        payments: BigInt(payments as number),
        amountMinor: BigInt(amount as string),
        refundedMinor: BigInt(refunded as string),
      }));
    },
    async findPayment(siteId: string, transactionId: string): Promise<KnownPayment | undefined> {
      const rows = await sql.arrays(
        `SELECT ${LISTED} FROM payments WHERE site_id = ?1 AND currency != ''
           AND transaction_id = coalesce((SELECT original_transaction_id FROM refunds
             WHERE site_id = ?1 AND transaction_id = ?2), ?2)`,
        ...[siteId, transactionId],
      );
      const [payment] = await toPayments(siteId, rows);
      return payment;
    },
  };
}

function toListed(row: readonly SqlValue[]) {
  const [id, transactionId, status, paidAt] = row;
  return {
    position: { paidAt: Number(paidAt), id: Number(id) },
    transactionId: String(transactionId),
    record: PAYMENT_RECORDS.read(row, RECORD_AT),
    status: status as PaymentStatus,
  };
}

/** The refund under the payment's own id, if it adds to those with other ids. */
function findOwnRefund(transactionId: string, record: PaymentRecord): KnownRefund[] {
  const { ownRefundMinor: amountMinor = 0n } = totalsOf(record);
  const refundedAt = ownRefundAtOf(record);
  if (amountMinor === 0n || refundedAt === undefined) return [];
  return [{ transactionId, amountMinor, refundedAt, isMatched: false, isDispute: false }];
}

function toListedRefund({ transactionId, record }: RecordedRefund): KnownRefund {
  const { amountMinor, isMatched, isDispute } = record;
  return { transactionId, amountMinor, refundedAt: refundAtOf(record), isMatched, isDispute };
}

function toChange(row: SqlRow): PaymentChange {
  return {
    change: row.change as PaymentChange['change'],
    by: String(row.changed_by),
    at: Number(row.changed_at),
    before: toText(row.before),
    after: toText(row.after),
  };
}

function toText(value: SqlValue | undefined): string | undefined {
  return value == null ? undefined : String(value);
}

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { PaymentStatus } from '#contract/payments/payment-list.ts';
import {
  ownRefundAtOf,
  type PaymentRecord,
  refundAtOf,
  totalsOf,
} from '#domain/money/payment-record.ts';
import { PAID_AT } from '../schema.ts';
import { createPaymentStore } from './payment-store.ts';
import type { RecordedRefund } from './project-payment.ts';

/** A filter on payments. Missing fields match everything. */
export type PaymentFilter = {
  readonly [Name in 'customerId' | 'email' | 'visitorId' | 'subscriptionId']?: string | undefined;
};

/** A recorded payment, with its refunds, its person's visitors and its manual changes. */
export type ListedPayment = {
  readonly position: PaymentPosition;
  readonly transactionId: string;
  readonly record: PaymentRecord;
  readonly status: PaymentStatus;
  readonly refunds: readonly ListedRefund[];
  readonly visitorIds: readonly string[];
  readonly changes: readonly PaymentChange[];
};

/** A refund. One that is reported under the payment's id has that id. */
type ListedRefund = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly refundedAt: number;
  readonly isMatched: boolean;
};

/** A payment's place in the list: by time of payment, then in the order of recording. */
export type PaymentPosition = { readonly paidAt: number; readonly id: number };

/** A manual change. */
export type PaymentChange = {
  readonly change: 'void' | 'visitor';
  readonly by: string;
  readonly at: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Reads payments from the ledger. */
export interface PaymentList {
  /** Payments, the latest paid first. */
  listPayments(siteId: string, filter: PaymentFilter, page: PaymentPage): readonly ListedPayment[];
  /** Sums the voided payments, by currency. */
  sumVoided(siteId: string, filter: PaymentFilter, paid: PaidIn): readonly VoidedSum[];
  /** Finds a payment by its own id, or by the id of its refund. */
  findPayment(siteId: string, transactionId: string): ListedPayment | undefined;
}

const REFUNDED = 'max(coalesce(refund_stated_minor, 0), other_refunds_minor)';
/** SQL for the status. An unmatched refund may also be of a payment that nobody has reported. */
const STATUS = `CASE
  WHEN voided_at IS NOT NULL THEN 'voided'
  WHEN stated_minor IS NULL THEN 'unmatched_refund'
  WHEN stated_minor = 0 THEN 'trial'
  WHEN ${REFUNDED} >= stated_minor THEN 'refunded'
  WHEN ${REFUNDED} > 0 THEN 'partly_refunded'
  WHEN renewal = 1 THEN 'renewal' ELSE 'paid' END`;

/** Sums of voided payments of a currency. */
type VoidedSum = {
  readonly currency: string;
  readonly payments: bigint;
  readonly amountMinor: bigint;
  readonly refundedMinor: bigint;
};

/** A page of payments: up to a limit, beyond a position, paid in a time range, with one of some statuses. */
type PaymentPage = {
  readonly beyond?: PaymentPosition | undefined;
  readonly limit: number;
  readonly paid?: PaidIn;
  readonly statuses?: readonly PaymentStatus[] | undefined;
};

/** A time range in milliseconds. A missing end is open. */
export type PaidIn = { readonly from?: number | undefined; readonly before?: number | undefined };

const COLUMNS: Readonly<Record<keyof PaymentFilter, string>> = {
  customerId: 'customer_id',
  email: 'email',
  visitorId: 'visitor_id',
  subscriptionId: 'subscription_id',
};

/** Before every payment. */
const FIRST: PaymentPosition = { paidAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Creates the list on a ledger connection. */
export function createPaymentList(db: DatabaseSync): PaymentList {
  const store = createPaymentStore(db);
  const visitorsOf = db.prepare(`
    SELECT key FROM person_keys WHERE site_id = $site AND kind = 'visitor' AND person = coalesce(
      (SELECT person FROM person_keys WHERE site_id = $site AND kind = 'visitor' AND key = $visitor),
      (SELECT person FROM person_keys WHERE site_id = $site AND kind = 'transaction' AND key = $id))`);
  const changesOf = db.prepare(
    'SELECT * FROM payment_changes WHERE site_id = ? AND transaction_id = ? ORDER BY id',
  );
  const find = db.prepare(`
    SELECT id, transaction_id, ${STATUS} AS status, ${PAID_AT} AS paid FROM payments
    WHERE site_id = $site AND currency != '' AND transaction_id = coalesce((SELECT original_transaction_id FROM refunds
      WHERE site_id = $site AND transaction_id = $id), $id)`);
  function toPayment(siteId: string, row: Row): ListedPayment {
    const transactionId = String(row.transaction_id);
    const record = store.findPayment(siteId, transactionId) as PaymentRecord;
    const visitor = record.visitorId ?? '';
    const joined = visitorsOf
      .all({ site: siteId, visitor, id: transactionId })
      .map(({ key }) => String(key));
    return {
      position: { paidAt: Number(row.paid), id: Number(row.id) },
      ...{ transactionId, record },
      status: row.status as PaymentStatus,
      refunds: [
        ...findOwnRefund(transactionId, record),
        ...store.findRefunds(siteId, transactionId).map(toListedRefund),
      ],
      visitorIds: joined.length > 0 || visitor === '' ? joined : [visitor],
      changes: changesOf.all(siteId, transactionId).map(toChange),
    };
  }

  return {
    listPayments(siteId, filter, { beyond = FIRST, limit, paid = {}, statuses }) {
      const asked = askedOf(filter);
      const isIn = statuses === undefined ? '1' : `${STATUS} IN (${statuses.map(() => '?')})`;
      // The upper bound lets the index find the page; the pair decides between payments of one instant.
      const page = db.prepare(`
        SELECT id, transaction_id, ${STATUS} AS status, ${PAID_AT} AS paid FROM payments
        WHERE site_id = ?${asked.where} AND ${isIn} AND currency != ''
          AND ${PAID_AT} BETWEEN ? AND ? AND (${PAID_AT}, id) < (?, ?)
        ORDER BY ${PAID_AT} DESC, id DESC LIMIT ?`);
      const { from, upTo } = spanOf(paid);
      const within = [from, Math.min(beyond.paidAt, upTo), beyond.paidAt, beyond.id];
      return page
        .all(siteId, ...asked.values, ...(statuses ?? []), ...within, limit)
        .map((row) => toPayment(siteId, row));
    },
    sumVoided(siteId, filter, paid) {
      const asked = askedOf(filter);
      const { from, upTo } = spanOf(paid);
      // Few are voided: the log of changes finds them.
      const sums = db.prepare(`
        SELECT currency, count(*) AS payments,
          sum(coalesce(stated_minor, ${REFUNDED})) AS amountMinor, sum(${REFUNDED}) AS refundedMinor
        FROM payments
        WHERE transaction_id IN (
            SELECT transaction_id FROM payment_changes WHERE site_id = ?1 AND change = 'void')
          AND site_id = ?1${asked.where} AND voided_at IS NOT NULL AND ${PAID_AT} BETWEEN ? AND ?
        GROUP BY currency ORDER BY currency`);
      sums.setReadBigInts(true);
      return sums.all(siteId, ...asked.values, from, upTo) as VoidedSum[];
    },
    findPayment(siteId, transactionId) {
      const row = find.get({ site: siteId, id: transactionId });
      return row && toPayment(siteId, row);
    },
  };
}

/** SQL for a filter. Few payments match one: SQLite should find them by its index and sort them. */
function askedOf(filter: PaymentFilter): { where: string; values: string[] } {
  const asked = (Object.keys(COLUMNS) as (keyof PaymentFilter)[]).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ column: COLUMNS[name], value }];
  });
  return {
    where: asked.map(({ column }) => ` AND likelihood(${column} = ?, 0.0001)`).join(''),
    values: asked.map(({ value }) => value),
  };
}

function spanOf({ from = 0, before = Number.MAX_SAFE_INTEGER }: PaidIn) {
  return { from, upTo: before - 1 };
}

/** The refund under the payment's own id, if it adds to those with other ids. */
function findOwnRefund(transactionId: string, record: PaymentRecord): ListedRefund[] {
  const { ownRefundMinor: amountMinor = 0n } = totalsOf(record);
  const refundedAt = ownRefundAtOf(record);
  if (amountMinor === 0n || refundedAt === undefined) return [];
  return [{ transactionId, amountMinor, refundedAt, isMatched: false }];
}

function toListedRefund({ transactionId, record }: RecordedRefund): ListedRefund {
  const { amountMinor, isMatched } = record;
  return { transactionId, amountMinor, refundedAt: refundAtOf(record), isMatched };
}

function toChange(row: Row): PaymentChange {
  return {
    change: row.change as PaymentChange['change'],
    by: String(row.changed_by),
    at: Number(row.changed_at),
    before: toText(row.before),
    after: toText(row.after),
  };
}

function toText(value: SQLOutputValue | undefined): string | undefined {
  return value == null ? undefined : String(value);
}

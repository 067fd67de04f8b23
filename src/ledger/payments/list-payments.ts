import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type PaymentRecord, refundAtOf } from '#domain/money/payment-record.ts';
import { IS_UNNAMED, PAID_AT } from '../schema.ts';
import { createPaymentStore } from './payment-store.ts';

/** A filter on payments. Missing fields match everything. */
export type PaymentFilter = {
  readonly [Name in 'customerId' | 'email' | 'visitorId' | 'subscriptionId']?: string | undefined;
};

/** A recorded payment, with its refunds, its person's visitors and its manual changes. */
export type ListedPayment = {
  readonly position: PaymentPosition;
  readonly transactionId: string;
  readonly record: PaymentRecord;
  /** The matched payment, if this is a refund that names none. */
  readonly matchedTo: string | undefined;
  readonly refunds: readonly {
    readonly transactionId: string;
    readonly amountMinor: bigint;
    readonly refundedAt: number;
  }[];
  readonly visitorIds: readonly string[];
  readonly changes: readonly PaymentChange[];
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
  /** Finds a payment by its own id, or by the id of its refund. */
  findPayment(siteId: string, transactionId: string): ListedPayment | undefined;
}

/** SQL conditions for states. An unmatched refund may also be of a payment that nobody has reported. */
const RECORDED_STATES = {
  voided: 'voided_at IS NOT NULL',
  matched_refund: 'voided_at IS NULL AND matched_to IS NOT NULL',
  unmatched_refund: 'voided_at IS NULL AND matched_to IS NULL AND stated_minor IS NULL',
} as const;
/** A state that the ledger knows by itself. */
export type RecordedState = keyof typeof RECORDED_STATES;

/** A page of payments: up to a limit, beyond a position, paid in a time range, in one of some states. */
type PaymentPage = {
  readonly beyond?: PaymentPosition | undefined;
  readonly limit: number;
  readonly paid?: PaidIn;
  readonly states?: readonly RecordedState[] | undefined;
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
    SELECT id, transaction_id, matched_to, ${PAID_AT} AS paid FROM payments
    WHERE site_id = $site AND currency != '' AND transaction_id = coalesce((SELECT original_transaction_id FROM refunds
      WHERE site_id = $site AND transaction_id = $id), $id)`);
  const matchedOf = db.prepare(`
    SELECT transaction_id AS transactionId, matched_to, refund_stated_minor AS amountMinor,
      coalesce(refunded_at, paid_at, refund_received_at) AS refundedAt FROM payments WHERE site_id = ?
      AND ${IS_UNNAMED} AND matched_to IN (SELECT value FROM json_each(?)) ORDER BY id`);
  matchedOf.setReadBigInts(true);

  function toListed(siteId: string, rows: readonly Row[]): ListedPayment[] {
    const ids = JSON.stringify(rows.map((row) => row.transaction_id));
    const all = Map.groupBy(matchedOf.all(siteId, ids), (row) => String(row.matched_to));
    return rows.map((row) => {
      const { record, refunds, ...listed } = toPayment(siteId, row);
      const matched = (all.get(listed.transactionId) ?? []).map(toMatched);
      const minor = matched.reduce((sum, each) => sum + each.amountMinor, record.otherRefundsMinor);
      const whole = { ...record, otherRefundsMinor: minor };
      return { ...listed, record: whole, refunds: [...refunds, ...matched] };
    });
  }

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
      matchedTo: toText(row.matched_to),
      refunds: store
        .findRefunds(siteId, transactionId)
        .map(({ transactionId: id, record: own }) => {
          return { transactionId: id, amountMinor: own.amountMinor, refundedAt: refundAtOf(own) };
        }),
      visitorIds: joined.length > 0 || visitor === '' ? joined : [visitor],
      changes: changesOf.all(siteId, transactionId).map(toChange),
    };
  }

  return {
    listPayments(siteId, filter, { beyond = FIRST, limit, paid = {}, states }) {
      const isAsked = (each: [string, unknown]): each is [keyof PaymentFilter, string] =>
        each[1] !== undefined;
      const asked = Object.entries(filter).filter(isAsked);
      // Few payments match a filter: SQLite should find them by its index and sort them.
      const where = asked.map(([name]) => ` AND likelihood(${COLUMNS[name]} = ?, 0.0001)`);
      const isIn = states?.map((state) => `(${RECORDED_STATES[state]})`).join(' OR ') ?? '1';
      // The upper bound lets the index find the page; the pair decides between payments of one instant.
      const page = db.prepare(`
        SELECT id, transaction_id, matched_to, ${PAID_AT} AS paid FROM payments
        WHERE site_id = ?${where.join('')} AND (${isIn}) AND currency != ''
          AND ${PAID_AT} BETWEEN ? AND ? AND (${PAID_AT}, id) < (?, ?)
        ORDER BY ${PAID_AT} DESC, id DESC LIMIT ?`);
      const values: (string | number)[] = asked.map(([, value]) => value);
      const latest = Math.min(beyond.paidAt, (paid.before ?? Number.MAX_SAFE_INTEGER) - 1);
      values.push(paid.from ?? 0, latest, beyond.paidAt, beyond.id, limit);
      return toListed(siteId, page.all(siteId, ...values));
    },
    findPayment(siteId, transactionId) {
      const row = find.get({ site: siteId, id: transactionId });
      return row && toListed(siteId, [row])[0];
    },
  };
}

function toMatched({ transactionId, amountMinor, refundedAt }: Row) {
  const id = String(transactionId);
  return { transactionId: id, amountMinor: amountMinor as bigint, refundedAt: Number(refundedAt) };
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

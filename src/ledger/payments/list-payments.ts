import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PaymentRecord, refundAtOf } from '#domain/money/payment-record.ts';
import { createPaymentStore, toRefundRecord } from './payment-store.ts';
import { IS_UNNAMED } from './refund-matcher.ts';

/** A filter on payments. Missing fields match everything. */
export type PaymentFilter = {
  readonly [Name in 'customerId' | 'email' | 'visitorId' | 'subscriptionId']?: string | undefined;
};

/** A recorded payment, with its refunds, its person's visitors and its manual changes. */
export type ListedPayment = {
  /** Ascending in the order of recording. */
  readonly id: number;
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
  /** Payments recorded before the id `before`, latest first, at most `limit`. */
  listPayments(
    siteId: string,
    filter: PaymentFilter,
    page: PaymentPage,
  ): Promise<readonly ListedPayment[]>;
  /** Finds a payment by its own id, or by the id of its refund. */
  findPayment(siteId: string, transactionId: string): ListedPayment | undefined;
}

/** A page of payments: recorded before an id, up to a limit, optionally paid in a time range. */
type PaymentPage = {
  readonly before: number;
  readonly limit: number;
  readonly paid?: PaidIn;
};

/** A time range in milliseconds. A missing end is open. */
export type PaidIn = {
  readonly from?: number | undefined;
  readonly before?: number | undefined;
};

const COLUMNS: Readonly<Record<keyof PaymentFilter, string>> = {
  customerId: 'customer_id',
  email: 'email',
  visitorId: 'visitor_id',
  subscriptionId: 'subscription_id',
};
/** When it was paid, or else refunded. */
const PAID_AT = 'coalesce(paid_at, received_at, refunded_at, refund_received_at, 0)';
/** Rows searched before yielding, so that requests do not wait. */
const ROWS_AT_ONCE = 5_000;

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Creates the list on a ledger connection. */
export function createPaymentList(db: DatabaseSync): PaymentList {
  const store = createPaymentStore(db);
  const refundsOf = db.prepare(
    'SELECT * FROM refunds WHERE site_id = ? AND original_transaction_id = ? ORDER BY id',
  );
  refundsOf.setReadBigInts(true);
  const visitorsOf = db.prepare(`
    SELECT key FROM person_keys WHERE site_id = $site AND kind = 'visitor' AND person = coalesce(
      (SELECT person FROM person_keys WHERE site_id = $site AND kind = 'visitor' AND key = $visitor),
      (SELECT person FROM person_keys WHERE site_id = $site AND kind = 'transaction' AND key = $id))`);
  const changesOf = db.prepare(
    'SELECT * FROM payment_changes WHERE site_id = ? AND transaction_id = ? ORDER BY id',
  );
  const find = db.prepare(`
    SELECT id, transaction_id, matched_to FROM payments
    WHERE site_id = $site AND transaction_id = coalesce((SELECT original_transaction_id FROM refunds
      WHERE site_id = $site AND transaction_id = $id), $id)`);
  const matchedOf = db.prepare(`
    SELECT transaction_id AS transactionId, matched_to, refund_stated_minor AS amountMinor,
      coalesce(refunded_at, paid_at, refund_received_at) AS refundedAt FROM payments WHERE site_id = ?
      AND ${IS_UNNAMED} AND matched_to IN (SELECT value FROM json_each(?)) ORDER BY id`);
  matchedOf.setReadBigInts(true);
  const last = db.prepare('SELECT coalesce(max(id), 0) AS id FROM payments');

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
      id: Number(row.id),
      ...{ transactionId, record },
      matchedTo: toText(row.matched_to),
      refunds: refundsOf.all(siteId, transactionId).map((refund) => {
        const each = toRefundRecord(refund);
        const id = String(refund.transaction_id);
        return { transactionId: id, amountMinor: each.amountMinor, refundedAt: refundAtOf(each) };
      }),
      visitorIds: joined.length > 0 || visitor === '' ? joined : [visitor],
      changes: changesOf.all(siteId, transactionId).map(toChange),
    };
  }

  return {
    async listPayments(siteId, filter, { before, limit, paid = {} }) {
      const asked = (Object.entries(filter) as [keyof PaymentFilter, string | undefined][]).filter(
        (each): each is [keyof PaymentFilter, string] => each[1] !== undefined,
      );
      const where = asked.map(([name]) => ` AND ${COLUMNS[name]} = ?`).join('');
      const page = db.prepare(`
        SELECT id, transaction_id, matched_to FROM payments
        WHERE site_id = ?${where} AND id >= ? AND id < ? AND ${PAID_AT} BETWEEN ? AND ?
        ORDER BY id DESC LIMIT ?`);
      const values = asked.map(([, value]) => value);
      const found: Row[] = [];
      let end = Math.min(before, Number(last.get()?.id) + 1);
      for (; end > 1 && found.length < limit; await nextTurn()) {
        const start = asked.length > 0 ? 1 : Math.max(1, end - ROWS_AT_ONCE);
        const span = [start, end, paid.from ?? 0, (paid.before ?? Number.MAX_SAFE_INTEGER) - 1];
        found.push(...page.all(siteId, ...values, ...span, limit - found.length));
        end = start;
      }
      return toListed(siteId, found);
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

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type IdentityKind, isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { byStatedTime, findOriginal, type UnnamedRefund } from '#domain/money/match-refunds.ts';
import { mergePayment, NOTHING_KNOWN } from '#domain/money/merge-payment.ts';
import { type RefundRecord, toBareRefund } from '#domain/money/payment-record.ts';
import type { Result } from '#domain/result.ts';
import { endOfStated } from '#domain/time/end-of-stated.ts';
import { IS_UNMATCHED } from '../schema.ts';
import type { PaymentStore } from './payment-store.ts';

/** Finds the payments of refunds that name none. A match is recorded as if the refund had named its payment. */
export interface RefundMatcher {
  /** Matches what these changed transactions make possible: unmatched refunds, or payments with something left. */
  match(siteId: string, changed: readonly string[]): void;
  /** Records an unmatched refund as one of this payment. Refuses what exceeds the payment. */
  link(siteId: string, refundId: string, paymentId: string): Result<unknown, string>;
  /** Records a refund as an unmatched one. */
  unlink(siteId: string, refundId: string, refund: RefundRecord): void;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Larger groups do not belong to one customer. They share, for example, a shop's default e-mail address. */
const GROUP_MAX = 5_000;

const KEYS = [
  ['customer', 'customer_id'],
  ['email', 'email'],
  ['visitor', 'visitor_id'],
] as const satisfies (readonly [IdentityKind, string])[];

const IS_PAID = 'stated_minor IS NOT NULL AND voided_at IS NULL';

/** Creates the matcher on a ledger connection. Its writes run in the caller's transaction. */
export function createRefundMatcher(
  db: DatabaseSync,
  store: PaymentStore,
  nextVersion: () => bigint,
): RefundMatcher {
  const prepare = (where: string, from = 'payments') => {
    const statement = db.prepare(`SELECT * FROM ${from} WHERE site_id = ? AND ${where}`);
    statement.setReadBigInts(true);
    return statement;
  };
  const sharings = KEYS.map(([kind, column]) => {
    const limited = `AND currency = ? AND ${column} = ? LIMIT ${GROUP_MAX + 1}`;
    const refunds = `payments INDEXED BY unmatched_refunds_by_${kind}`;
    return {
      ...{ kind, column },
      payments: prepare(`${IS_PAID} ${limited}`, `payments INDEXED BY payments_by_${kind}`),
      refunds: prepare(`${IS_UNMATCHED} ${limited}`, refunds),
    };
  });
  const hasUnmatched = prepare(`${IS_UNMATCHED} LIMIT 1`);
  const findRefund = prepare(`transaction_id = ? AND ${IS_UNMATCHED}`);
  const findPayment = prepare(`transaction_id = ? AND ${IS_PAID}`);
  const findZone = db.prepare('SELECT timezone FROM sites WHERE id = ?');

  type Sharing = (typeof sharings)[number];

  /** Rows that share a key of `row`; none if it is a placeholder or too many do. */
  function findSharing(of: 'payments' | 'refunds', row: Row, { kind, column, ...all }: Sharing) {
    const key = String(row[column] ?? '');
    if (isPlaceholderKey(kind, key)) return [];
    const rows = all[of].all(String(row.site_id), String(row.currency), key);
    return rows.length > GROUP_MAX ? [] : rows;
  }

  function findRefunds(payment: Row): Row[] {
    return sharings.flatMap((sharing) => {
      const refunds = findSharing('refunds', payment, sharing);
      const isShared = refunds.length > 0 && findSharing('payments', payment, sharing).length > 0;
      return isShared ? refunds : [];
    });
  }

  function matchTo(siteId: string, refund: UnnamedRefund, payments: readonly Row[]): void {
    const original = findOriginal(refund, payments.map(toPaidBack));
    if (original !== undefined) link(siteId, refund.transactionId, original.transactionId);
  }

  function link(siteId: string, refundId: string, paymentId: string) {
    const payment = store.findPayment(siteId, refundId);
    const original = store.findPayment(siteId, paymentId);
    const { currency = '', refundStatedMinor = 0n, refundReceivedAt = 0 } = payment ?? {};
    const report = {
      ...{ transactionId: refundId, originalTransactionId: paymentId, isMatched: true },
      ...{ amountMinor: refundStatedMinor, currency, receivedAt: refundReceivedAt },
      ...{ renewal: false, refunded: true },
    };
    const merged = mergePayment({ ...NOTHING_KNOWN, payment, original }, report);
    if (merged.ok) store.saveMerged(siteId, refundId, merged.value, nextVersion());
    return merged;
  }

  return {
    match(siteId, changed) {
      if (hasUnmatched.get(siteId) === undefined) return;
      const zone = String(findZone.get(siteId)?.timezone ?? 'UTC');
      for (const id of changed) {
        const refund = findRefund.get(siteId, id);
        if (refund !== undefined) {
          const payments = sharings.flatMap((each) => findSharing('payments', refund, each));
          matchTo(siteId, toRefund(refund, zone), payments);
        }
        const refunds = findPayment.all(siteId, id).flatMap(findRefunds);
        const byId = new Map(refunds.map((row) => [row.transaction_id, toRefund(row, zone)]));
        for (const each of [...byId.values()].toSorted(byStatedTime)) {
          matchTo(siteId, each, findPayment.all(siteId, id));
        }
      }
    },
    link,
    unlink(siteId, refundId, refund) {
      const { originalTransactionId: paymentId, amountMinor } = refund;
      store.savePayment(siteId, refundId, toBareRefund(refund), nextVersion());
      store.dropRefund(siteId, refundId);
      const payment = store.findPayment(siteId, paymentId);
      if (payment === undefined) return;
      const isReported = (payment.receivedAt ?? payment.refundReceivedAt) !== undefined;
      const isEmpty = !isReported && store.findRefunds(siteId, paymentId).length === 0;
      const otherRefundsMinor = payment.otherRefundsMinor - amountMinor;
      const rest = { ...payment, otherRefundsMinor, ...(isEmpty && { currency: '' }) };
      store.savePayment(siteId, paymentId, rest, nextVersion());
      store.touchPayment(siteId, paymentId, nextVersion());
    },
  };
}

function toRefund(row: Row, timeZone: string): UnnamedRefund {
  const statedAt = row.refunded_at ?? row.paid_at;
  return {
    transactionId: String(row.transaction_id),
    amountMinor: row.refund_stated_minor as bigint,
    refundedAt: Number(statedAt ?? row.refund_received_at),
    statedUntil: statedAt === null ? undefined : endOfStated(Number(statedAt), timeZone),
  };
}

function toPaidBack(row: Row) {
  return {
    transactionId: String(row.transaction_id),
    amountMinor: row.stated_minor as bigint,
    refundsMinor: row.other_refunds_minor as bigint,
    toldMinor: (row.refund_stated_minor ?? 0n) as bigint,
    toldAt: Number(row.refunded_at ?? row.refund_received_at),
    paidAt: Number(row.paid_at ?? row.received_at),
    isStated: row.paid_at !== null,
  };
}

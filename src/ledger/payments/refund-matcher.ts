import { type IdentityKind, isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { matchRefunds } from '#domain/money/match-refunds.ts';
import { mergePayment, NOTHING_KNOWN } from '#domain/money/merge-payment.ts';
import {
  type PaymentRecord,
  type RefundRecord,
  toBareRefund,
} from '#domain/money/payment-record.ts';
import type { UnnamedRefund } from '#domain/money/unnamed-refund.ts';
import { endOfStated } from '#domain/time/end-of-stated.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import { IS_UNMATCHED } from '../schema/schema.ts';
import type { PaymentStore } from './payment-store.ts';

/** Finds the payments of refunds that name none. A match is recorded as if the refund had named its payment. */
export interface RefundMatcher {
  /**
   * Matches what these changed transactions make possible: unmatched refunds, or payments with something left or
   * something unexplained. `before`: the payments by refund that were unlinked, which they keep if they fit.
   */
  match(siteId: string, changed: readonly string[], before?: MatchesById): Promise<void>;
  /** Records a refund as an unmatched one. */
  unlink(siteId: string, refundId: string, refund: RefundRecord): Promise<void>;
}

type MatchesById = ReadonlyMap<string, string>;

/** Larger groups do not belong to one customer. They share, for example, a shop's default e-mail address. */
const GROUP_MAX = 5_000;

const IS_PAID = 'stated_minor IS NOT NULL AND voided_at IS NULL';

const COLUMNS = `site_id, transaction_id, currency, visitor_id, email, customer_id, paid_at,
  received_at, refunded_at, refund_received_at, refund_total_at, CAST(stated_minor AS TEXT) AS stated_minor,
  CAST(refund_stated_minor AS TEXT) AS refund_stated_minor,
  CAST(other_refunds_minor AS TEXT) AS other_refunds_minor`;

const select = (where: string, from = 'payments') =>
  `SELECT ${COLUMNS} FROM ${from} WHERE site_id = ? AND ${where}`;

/** By what refunds and payments are matched, and how rows that share it are found. */
const SHARINGS = (
  [
    ['customer', 'customer_id'],
    ['email', 'email'],
    ['visitor', 'visitor_id'],
  ] as const satisfies (readonly [IdentityKind, string])[]
).map(([kind, column]) => {
  const limited = `AND currency = ? AND ${column} = ? LIMIT ${GROUP_MAX + 1}`;
  const refunds = `payments INDEXED BY unmatched_refunds_by_${kind}`;
  return {
    ...{ kind, column },
    payments: select(`${IS_PAID} ${limited}`, `payments INDEXED BY payments_by_${kind}`),
    refunds: select(`${IS_UNMATCHED} ${limited}`, refunds),
  };
});
type Sharing = (typeof SHARINGS)[number];

const FIND = select('transaction_id = ?');
const OF_THESE = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;
const FIND_PAYMENTS = select(`${IS_PAID} AND ${OF_THESE('transaction_id')}`);
const FIND_MATCHED = `SELECT transaction_id, original_transaction_id, visitor_id, email, customer_id,
    refunded_at, paid_at, received_at AS refund_received_at,
    CAST(amount_minor AS TEXT) AS refund_stated_minor
  FROM refunds WHERE site_id = ? AND matched = 1 AND ${OF_THESE('original_transaction_id')}`;

/** Payments and refunds, both by id, that may belong together. */
type Group = { readonly payments: Map<string, SqlRow>; readonly refunds: Map<string, SqlRow> };

/** Creates the matcher for a transaction. */
export function createRefundMatcher(
  sql: Sql,
  store: PaymentStore,
  nextVersion: () => number,
): RefundMatcher {
  /** Rows that share a key of `row`; none if it is a placeholder or too many do. */
  async function findSharing(of: 'payments' | 'refunds', row: SqlRow, sharing: Sharing) {
    const { kind, column } = sharing;
    const key = String(row[column] ?? '');
    if (isPlaceholderKey(kind, key)) return [];
    const rows = await sql.all(sharing[of], String(row.site_id), String(row.currency), key);
    return rows.length > GROUP_MAX ? [] : rows;
  }

  /** What may belong together with a changed transaction: those that share a key, and what is matched to them. */
  async function findGroup(siteId: string, row: SqlRow, before: MatchesById): Promise<Group> {
    const payments = new Map<string, SqlRow>();
    const refunds = new Map<string, SqlRow>();
    const isRefund = row.stated_minor === null;
    const isOpen = isRefund || toMinor(row.refund_stated_minor) > toMinor(row.other_refunds_minor);
    if (isRefund) addAll(refunds, [row]);
    for (const sharing of SHARINGS) {
      const unmatched = isRefund ? [] : await findSharing('refunds', row, sharing);
      if (!isOpen && unmatched.length === 0) continue;
      const paid = await findSharing('payments', row, sharing);
      addAll(payments, paid);
      if (paid.length > 0) addAll(refunds, unmatched);
    }
    const kept = [...refunds.keys()].flatMap((id) => before.get(id) ?? []);
    addAll(payments, await sql.all(FIND_PAYMENTS, siteId, JSON.stringify(kept)));
    const ids = JSON.stringify([...payments.keys()]);
    addAll(refunds, await sql.all(FIND_MATCHED, siteId, ids));
    return { payments, refunds };
  }

  /** Whether a changed payment may take refunds, or a changed refund may be matched. */
  async function mayMatch(siteId: string, record: PaymentRecord): Promise<boolean> {
    const { statedMinor, refundStatedMinor: total = -1n, otherRefundsMinor, voidedAt } = record;
    if (voidedAt !== undefined) return false;
    if (statedMinor === undefined) return total >= 0n && otherRefundsMinor === 0n;
    return total > otherRefundsMinor || store.hasUnmatched(siteId);
  }

  async function link(siteId: string, refundId: string, paymentId: string): Promise<void> {
    const payment = await store.findPayment(siteId, refundId);
    const original = await store.findPayment(siteId, paymentId);
    const { currency = '', refundStatedMinor = 0n, refundReceivedAt = 0 } = payment ?? {};
    const report = {
      ...{ transactionId: refundId, originalTransactionId: paymentId, isMatched: true },
      ...{ amountMinor: refundStatedMinor, currency, receivedAt: refundReceivedAt },
      ...{ renewal: false, refunded: true },
    };
    const merged = mergePayment({ ...NOTHING_KNOWN, payment, original }, report);
    if (merged.ok) await store.saveMerged(siteId, refundId, merged.value, nextVersion());
    await store.flush();
  }

  async function unlink(siteId: string, refundId: string, refund: RefundRecord): Promise<void> {
    const { originalTransactionId: paymentId, amountMinor } = refund;
    store.savePayment(siteId, refundId, toBareRefund(refund), nextVersion());
    await store.dropRefund(siteId, refundId);
    const payment = await store.findPayment(siteId, paymentId);
    if (payment === undefined) return;
    const isReported = (payment.receivedAt ?? payment.refundReceivedAt) !== undefined;
    const isEmpty = !isReported && (await store.findRefunds(siteId, paymentId)).length === 0;
    const otherRefundsMinor = payment.otherRefundsMinor - amountMinor;
    const rest = { ...payment, otherRefundsMinor, ...(isEmpty && { currency: '' }) };
    store.savePayment(siteId, paymentId, rest, nextVersion());
    await store.touchPayment(siteId, paymentId, nextVersion());
  }

  /** Unlinks all that move before it links them, so that each finds room. */
  async function apply(siteId: string, { refunds }: Group, found: MatchesById): Promise<void> {
    const moves = [...refunds].flatMap(([id, row]) => {
      const to = found.get(id);
      return to === matchOf(row) ? [] : [[id, to] as const];
    });
    for (const [id] of moves) {
      const refund = await store.findRefund(siteId, id);
      if (refund !== undefined) await unlink(siteId, id, refund);
    }
    await store.flush();
    for (const [id, to] of moves) if (to !== undefined) await link(siteId, id, to);
  }

  async function matchGroup(siteId: string, changed: SqlRow, before: MatchesById): Promise<void> {
    const group = await findGroup(siteId, changed, before);
    if (group.payments.size === 0) return;
    const site = await sql.get('SELECT timezone FROM sites WHERE id = ?', siteId);
    const zone = String(site?.timezone ?? 'UTC');
    const refunds = [...group.refunds.values()].map((each) => toRefund(each, zone, before));
    const isNewPayment = changed.stated_minor !== null && changed.refund_stated_minor === null;
    const newPaymentId = isNewPayment ? String(changed.transaction_id) : undefined;
    await apply(siteId, group, matchRefunds(toPaidBack(group), refunds, newPaymentId));
  }

  return {
    async match(siteId, changed, before = new Map()) {
      for (const id of changed) {
        const record = await store.findPayment(siteId, id);
        if (record === undefined || !(await mayMatch(siteId, record))) continue;
        await store.flush();
        const row = await sql.get(FIND, siteId, id);
        if (row !== undefined) await matchGroup(siteId, row, before);
      }
    },
    unlink,
  };
}

function addAll(byId: Map<string, SqlRow>, rows: readonly SqlRow[]): void {
  for (const row of rows) byId.set(String(row.transaction_id), row);
}

/** The payment that a refund is matched to. */
function matchOf(refund: SqlRow): string | undefined {
  const { original_transaction_id: id } = refund;
  return id === undefined ? undefined : String(id);
}

function toRefund(row: SqlRow, timeZone: string, before: MatchesById): UnnamedRefund {
  const statedAt = row.refunded_at ?? row.paid_at ?? null;
  const transactionId = String(row.transaction_id);
  return {
    transactionId,
    amountMinor: toMinor(row.refund_stated_minor),
    refundedAt: Number(statedAt ?? row.refund_received_at),
    statedUntil: statedAt === null ? undefined : endOfStated(Number(statedAt), timeZone),
    keys: toKeys(row),
    matchedTo: matchOf(row) ?? before.get(transactionId),
  };
}

function toPaidBack({ payments, refunds }: Group) {
  const matched = Map.groupBy(refunds.values(), matchOf);
  return [...payments].map(([transactionId, row]) => {
    const totalFrom = Number(row.refunded_at ?? row.refund_received_at);
    return {
      transactionId,
      amountMinor: toMinor(row.stated_minor),
      refundsMinor: (matched.get(transactionId) ?? []).reduce(
        (rest, refund) => rest - toMinor(refund.refund_stated_minor),
        toMinor(row.other_refunds_minor),
      ),
      totalMinor: toMinor(row.refund_stated_minor),
      totalFrom,
      totalUntil: Math.max(totalFrom, Number(row.refund_total_at)),
      paidAt: Number(row.paid_at ?? row.received_at),
      isStated: row.paid_at !== null,
      keys: toKeys(row),
    };
  });
}

function toKeys(row: SqlRow): string[] {
  return SHARINGS.flatMap(({ kind, column }) => {
    const key = String(row[column] ?? '');
    return isPlaceholderKey(kind, key) ? [] : [`${kind} ${key}`];
  });
}

function toMinor(amount: SqlRow[string] | undefined): bigint {
  return BigInt((amount ?? '0') as string);
}

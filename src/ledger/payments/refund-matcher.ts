import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type IdentityKind, isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { matchRefunds } from '#domain/money/match-refunds.ts';
import { endOfStated } from '#domain/time/end-of-stated.ts';
import { IS_UNNAMED } from '../schema.ts';

/** Matches refunds that name no payment to their payments. */
export interface RefundMatcher {
  /**
   * The transactions connected to one as it is recorded now. A change of it may disconnect them, so that they are
   * passed to `rematch` after it.
   */
  findConnected(siteId: string, transactionId: string): readonly string[];
  /**
   * Matches again after these transactions changed, and those that were connected to them before. Calls `touch` for
   * every refund whose warehouse row has changed.
   */
  rematch(
    siteId: string,
    changed: readonly string[],
    connected: readonly string[],
    touch: (refundId: string) => void,
  ): void;
  /** The payment that a refund is matched to, if any. */
  findMatch(siteId: string, refundId: string): string | undefined;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Larger groups do not belong to one customer. They share, for example, a shop's default e-mail address. */
const GROUP_MAX = 5_000;
/** Refunds times payments of a group: matching as many takes a quarter of a second. */
const PAIRS_MAX = 500_000;
/** Rows per look-up. A row is found once by each of three keys, so that as many rows make too large a group. */
const SHARING_MAX = 3 * GROUP_MAX + 1;

const KEY_COLUMNS = [
  ['customer', 'customer_id'],
  ['email', 'email'],
  ['visitor', 'visitor_id'],
] as const;
const NO_KEYS = { customer: null, email: null, visitor: null };

/**
 * Creates the matcher on a ledger connection. Its writes run in the caller's transaction.
 *
 * - Shape: considers only transactions connected by customer, e-mail or visitor: from a refund to payments with
 *   the same keys, and from a payment to refunds with the same keys.
 * - Matches of payments that were erased, voided or corrected stay: the refund still pays back that payment.
 */
export function createRefundMatcher(db: DatabaseSync): RefundMatcher {
  const hasUnnamed = db.prepare(
    `SELECT 1 FROM payments WHERE site_id = ? AND ${IS_UNNAMED} LIMIT 1`,
  );
  const named = `SELECT value FROM json_each(?)`;
  const read = db.prepare(
    `SELECT * FROM payments WHERE site_id = ? AND transaction_id IN (${named})`,
  );
  const sharing = (indexes: string, where: string) => {
    const each = KEY_COLUMNS.map(
      ([kind, column]) => `SELECT * FROM payments INDEXED BY ${indexes}_by_${kind}
        WHERE site_id = $site AND ${column} = $${kind} AND currency = $currency
        AND erased_at IS NULL AND ${where}`,
    );
    return db.prepare(`${each.join(' UNION ALL ')} LIMIT ${SHARING_MAX}`);
  };
  const paymentsOf = sharing('payments', 'stated_minor IS NOT NULL');
  const refundsOf = sharing('unnamed_refunds', IS_UNNAMED);
  const matchedTo = db.prepare(
    `SELECT * FROM payments INDEXED BY unnamed_refunds_by_match
      WHERE site_id = ? AND ${IS_UNNAMED} AND matched_to IN (${named})`,
  );
  for (const statement of [read, matchedTo, paymentsOf, refundsOf]) statement.setReadBigInts(true);
  const save = db.prepare(
    'UPDATE payments SET matched_to = ? WHERE site_id = ? AND transaction_id = ?',
  );
  const findMatch = db.prepare(
    'SELECT matched_to FROM payments WHERE site_id = ? AND transaction_id = ?',
  );
  const isKept = db.prepare(`
    SELECT 1 FROM payments AS one JOIN payments AS other USING (site_id)
    WHERE site_id = ? AND one.transaction_id = ? AND other.transaction_id = ?
      AND (coalesce(one.erased_at, other.erased_at, other.voided_at) IS NOT NULL
        OR one.visitor_corrected + other.visitor_corrected > 0 AND NOT coalesce(
          one.customer_id = other.customer_id OR one.email = other.email OR one.visitor_id = other.visitor_id, 0))`);
  const isStillFor = db.prepare(`SELECT 1 FROM payments WHERE site_id = ? AND transaction_id = ?
    AND stated_minor >= ? AND refund_stated_minor IS NULL AND other_refunds_minor = 0`);
  const findZone = db.prepare('SELECT timezone FROM sites WHERE id = ?');

  /** The connected rows of these, by transaction id; undefined if there are too many. */
  function findGroup(siteId: string, changed: readonly Row[]): Map<string, Row> | undefined {
    const group = new Map(changed.map((row) => [idOf(row), row]));
    const searched = new Set<string>();
    // Includes those that are added meanwhile.
    for (const row of group.values()) {
      for (const found of findSharing(siteId, row, searched)) group.set(idOf(found), found);
      if (group.size > GROUP_MAX) return undefined;
    }
    const refunds = [...group.values()].filter(isUnnamed).length;
    return refunds * (group.size - refunds) > PAIRS_MAX ? undefined : group;
  }

  /** A refund's possible payments, or a payment's possible refunds, by keys that were not `searched` before. */
  function findSharing(siteId: string, row: Row, searched: Set<string>): readonly Row[] {
    const [sharing, currency] = [isUnnamed(row) ? paymentsOf : refundsOf, String(row.currency)];
    const keys = keysOf(row).filter((key) => {
      const before = searched.size;
      return searched.add([isUnnamed(row), currency, ...key].join(' ')).size > before;
    });
    if (keys.length === 0) return [];
    return sharing.all({ site: siteId, currency, ...NO_KEYS, ...Object.fromEntries(keys) });
  }

  function rematchGroup(
    siteId: string,
    rows: readonly Row[],
    changed: readonly string[],
    touch: (refundId: string) => void,
  ): void {
    const kept = new Map(rows.flatMap((row) => findKept(siteId, row)));
    const ids = new Set(rows.map(idOf));
    // Refunds that share no key any more, as they were erased or corrected, still take their payments.
    const others = matchedTo
      .all(siteId, JSON.stringify([...ids]))
      .filter((row) => isUnnamed(row) && !ids.has(idOf(row)));
    const taken = new Set([...kept.values(), ...others.map((row) => toOptional(row.matched_to))]);
    const zone = String(findZone.get(siteId)?.timezone ?? 'UTC');
    const matches = matchRefunds(
      rows
        .filter((row) => isUnnamed(row) && !kept.has(idOf(row)))
        .map((row) => toRefund(row, zone)),
      rows.filter((row) => isUnrefunded(row) && !taken.has(idOf(row))).map(toPayment),
    );
    for (const row of rows) {
      const id = idOf(row);
      const match = kept.get(id) ?? matches.get(id);
      const before = toOptional(row.matched_to);
      if (match !== before) save.run(match ?? null, siteId, id);
      if (match !== before || changed.includes(match ?? '')) touch(id);
    }
  }

  /** Ends matches with payments that now have refunds of their own or are smaller, and of what is voided or named. */
  function release(siteId: string, rows: readonly Row[], touch: (refundId: string) => void): void {
    for (const row of rows) {
      const match = toOptional(row.matched_to);
      if (match === undefined) continue;
      if (isUnnamed(row) && isStillFor.get(siteId, match, row.refund_stated_minor ?? 0)) continue;
      save.run(null, siteId, idOf(row));
      touch(idOf(row));
    }
  }

  /** The refund and its payment, if their match stays whatever else is reported. */
  function findKept(siteId: string, row: Row): [refundId: string, paymentId: string][] {
    const match = toOptional(row.matched_to);
    if (match === undefined || !isUnnamed(row)) return [];
    const id = idOf(row);
    return isKept.get(siteId, id, match) === undefined ? [] : [[id, match]];
  }

  function findGroupOf(siteId: string, transactionIds: readonly string[]) {
    const ids = JSON.stringify(transactionIds);
    const rows = [...read.all(siteId, ids), ...matchedTo.all(siteId, ids)];
    const lasting = rows.filter((row) => row.erased_at === null);
    return findGroup(siteId, lasting);
  }

  return {
    findConnected(siteId, transactionId) {
      if (hasUnnamed.get(siteId) === undefined) return [];
      return [...(findGroupOf(siteId, [transactionId])?.keys() ?? [])];
    },
    rematch(siteId, changed, connected, touch) {
      if (hasUnnamed.get(siteId) === undefined) return;
      const ids = JSON.stringify(changed);
      const matched = matchedTo.all(siteId, ids);
      release(siteId, [...read.all(siteId, ids), ...matched], touch);
      const group = findGroupOf(siteId, [...changed, ...connected]);
      for (const row of matched) if (group?.has(idOf(row)) !== true) touch(idOf(row));
      // Most payments belong to customers without such refunds.
      if (group === undefined || !group.values().some(isUnnamed)) return;
      for (const ofCurrency of Map.groupBy(group.values(), (row) => row.currency).values()) {
        rematchGroup(siteId, ofCurrency, changed, touch);
      }
    },
    findMatch: (siteId, refundId) => toOptional(findMatch.get(siteId, refundId)?.matched_to),
  };
}

function toOptional(value: SQLOutputValue | undefined): string | undefined {
  return value == null ? undefined : String(value);
}

function idOf(row: Row): string {
  return String(row.transaction_id);
}

function isUnnamed(row: Row): boolean {
  const isReported = row.stated_minor === null && row.refund_stated_minor !== null;
  return isReported && row.other_refunds_minor === 0n && row.voided_at === null;
}

function isUnrefunded(row: Row): boolean {
  const isPaid = row.stated_minor !== null && row.refund_stated_minor === null;
  return isPaid && row.other_refunds_minor === 0n && row.voided_at === null;
}

function toRefund(row: Row, timeZone: string) {
  const statedAt = row.refunded_at ?? row.paid_at;
  return {
    transactionId: idOf(row),
    amountMinor: row.refund_stated_minor as bigint,
    refundedAt: Number(statedAt ?? row.refund_received_at),
    statedUntil: statedAt === null ? undefined : endOfStated(Number(statedAt), timeZone),
    keys: keysOf(row).map(([kind, key]) => `${kind} ${key}`),
  };
}

function toPayment(row: Row) {
  return {
    transactionId: idOf(row),
    amountMinor: row.stated_minor as bigint,
    paidAt: Number(row.paid_at ?? row.received_at),
    isStated: row.paid_at !== null,
    keys: keysOf(row).map(([kind, key]) => `${kind} ${key}`),
  };
}

/** The keys of a row, without placeholders. */
function keysOf(row: Row): (readonly [kind: IdentityKind, key: string])[] {
  return KEY_COLUMNS.map(([kind, column]) => [kind, String(row[column] ?? '')] as const).filter(
    ([kind, key]) => !isPlaceholderKey(kind, key),
  );
}

import type { DatabaseSync } from 'node:sqlite';
import { isNobodysKey } from '#domain/identity/nobodys-keys.ts';
import { type OptionalFacts, paidAtOf } from '#domain/money/payment-record.ts';
import { inTransaction } from '#storage/durable-database.ts';
import { createFindPayments, LAST_VERSION } from '../payments/find-payments.ts';
import type { RecordedPayment } from '../payments/project-payment.ts';
import { createPersonBook, type PersonKey } from './person-book.ts';
import { createSubscriptionLeaders } from './subscription-leaders.ts';

/** Brings the book of persons up to the facts of the ledger. */
export interface PersonResolver {
  /** Takes in some of the facts that are new. Answers whether there are more. */
  resolveSome(): boolean;
}

/** As many facts as one transaction takes: payments must not wait long for its end. */
const FACTS_AT_A_TIME = 250;

/**
 * The resolver on a connection of its own to the ledger.
 *
 * - Shape: identities in the order in which they came, payments by the version of their last change. What
 *   it has taken in it does not look at again, so that its work grows with what is new.
 * - Why not as payments are accepted: a caller would wait for what only reports need.
 */
export function createPersonResolver(db: DatabaseSync): PersonResolver {
  const book = createPersonBook(db);
  const leaders = createSubscriptionLeaders(db, book);
  const findPayments = createFindPayments(db);
  const newIdentities = db.prepare('SELECT * FROM identities WHERE id > ? ORDER BY id LIMIT ?');
  const readMark = db.prepare('SELECT value FROM counters WHERE name = ?');
  readMark.setReadBigInts(true);
  const saveMark = db.prepare('UPDATE counters SET value = ? WHERE name = ?');
  const isBehind = db.prepare(`
    SELECT (SELECT value FROM counters WHERE name = 'resolved_identities')
        < (SELECT coalesce(max(id), 0) FROM identities)
      OR (SELECT value FROM counters WHERE name = 'resolved_payments')
        < (SELECT value FROM counters WHERE name = 'payments') AS behind`);

  const markOf = (name: string) => readMark.get(name)?.value as bigint;

  function resolveIdentities(): void {
    const rows = newIdentities.all(markOf('resolved_identities'), FACTS_AT_A_TIME);
    for (const row of rows) {
      const facts = {
        visitorId: String(row.visitor_id),
        userId: String(row.user_id),
        email: String(row.email),
      };
      book.join(String(row.site_id), toJoiningKeys(facts));
    }
    const last = rows.at(-1);
    if (last !== undefined) saveMark.run(Number(last.id), 'resolved_identities');
  }

  function resolvePayments(): void {
    const after = markOf('resolved_payments');
    const payments = findPayments({ after, upTo: LAST_VERSION }, FACTS_AT_A_TIME);
    for (const payment of payments) resolvePayment(payment);
    // Versions that an erasure took away are none to wait for.
    const full = payments.length === FACTS_AT_A_TIME;
    const last = full ? payments.at(-1)?.version : markOf('payments');
    if (last !== undefined && last !== after) saveMark.run(last, 'resolved_payments');
  }

  function resolvePayment(payment: RecordedPayment): void {
    const { siteId, record, refunds } = payment;
    for (const named of [record, ...refunds.map((refund) => refund.record)]) {
      const keys = toJoiningKeys(named);
      if (keys.length > 1) book.join(siteId, keys);
    }
    const [leader] = toJoiningKeys(record);
    if (leader !== undefined) proposeLeader(payment, leader);
    putTransaction(payment, leader);
  }

  function proposeLeader({ siteId, transactionId, record }: RecordedPayment, leader: PersonKey) {
    if (record.subscriptionId === undefined) return;
    const paidAt = paidAtOf(record) ?? Number.MAX_SAFE_INTEGER;
    leaders.propose(siteId, record.subscriptionId, { ...leader, paidAt, transactionId });
  }

  /** A payment with a visitor is known by it, unless it was put to somebody before. */
  function putTransaction(
    { siteId, transactionId, record }: RecordedPayment,
    leader: PersonKey | undefined,
  ): void {
    const { visitorId, subscriptionId } = record;
    if (visitorId !== undefined) {
      if (!book.isFollowing(siteId, transactionId)) return;
    } else if (subscriptionId !== undefined) {
      if (book.followSubscription(siteId, transactionId, subscriptionId)) return;
    }
    if (leader !== undefined) book.follow(siteId, 'transaction', transactionId, leader);
  }

  return {
    resolveSome() {
      if (isBehind.get()?.behind !== 1) return false;
      inTransaction(db, () => {
        resolveIdentities();
        resolvePayments();
        book.project();
      });
      return isBehind.get()?.behind === 1;
    },
  };
}

type Facts = Partial<Pick<OptionalFacts, 'visitorId' | 'customerId' | 'email'>> & {
  readonly userId?: string;
};

/** In the order in which a payment finds its person; ids that stand for nobody are left out. */
function toJoiningKeys({ visitorId, userId, customerId, email }: Facts): PersonKey[] {
  const keys: PersonKey[] = [];
  if (visitorId) keys.push({ kind: 'visitor', key: visitorId });
  if (userId && !isNobodysKey('user', userId)) keys.push({ kind: 'user', key: userId });
  if (customerId && !isNobodysKey('customer', customerId)) {
    keys.push({ kind: 'customer', key: customerId });
  }
  if (email && !isNobodysKey('email', email)) keys.push({ kind: 'email', key: email });
  return keys;
}

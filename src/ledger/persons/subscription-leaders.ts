import type { DatabaseSync } from 'node:sqlite';
import type { PersonBook, PersonKey } from './person-book.ts';

/** A payment of a subscription that says who pays it. */
export type Leader = PersonKey & { readonly paidAt: number; readonly transactionId: string };

/** Which payment says whose a subscription is. */
export interface SubscriptionLeaders {
  /** A payment that may say it better than the one that does. */
  propose(siteId: string, subscriptionId: string, leader: Leader): void;
}

/** The better ways to know who pays come first. */
const RANKS: Readonly<Record<PersonKey['kind'], number>> = {
  visitor: 0,
  customer: 1,
  email: 2,
  user: 3,
};

/**
 * The leaders on a connection to the ledger. Its writes belong in the caller's transaction.
 *
 * - Shape: a subscription is whose its earliest payment with a visitor id is; without any, whose the
 *   earliest with a customer id is, else with an e-mail address: whatever the order of arrival.
 */
export function createSubscriptionLeaders(db: DatabaseSync, book: PersonBook): SubscriptionLeaders {
  const find = db.prepare(
    'SELECT * FROM subscription_leaders WHERE site_id = ? AND subscription_id = ?',
  );
  const save = db.prepare(`
    INSERT INTO subscription_leaders
      (site_id, subscription_id, rank, paid_at, transaction_id, kind, key)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET rank = excluded.rank, paid_at = excluded.paid_at,
      transaction_id = excluded.transaction_id, kind = excluded.kind, key = excluded.key`);
  const withoutVisitor = db.prepare(`
    SELECT transaction_id FROM payments
    WHERE site_id = ? AND subscription_id = ? AND visitor_id IS NULL`);

  return {
    propose(siteId, subscriptionId, leader) {
      const { kind, key, paidAt, transactionId } = leader;
      const rank = RANKS[kind];
      const known = find.get(siteId, subscriptionId);
      if (known !== undefined && !isBetter({ rank, paidAt, transactionId }, known)) return;
      if (known?.kind === kind && known.key === key && known.paid_at === paidAt) return;
      save.run(siteId, subscriptionId, rank, paidAt, transactionId, kind, key);
      book.follow(siteId, 'subscription', subscriptionId, leader);
      for (const row of withoutVisitor.all(siteId, subscriptionId)) {
        book.followSubscription(siteId, String(row.transaction_id), subscriptionId);
      }
    },
  };
}

type Claim = { readonly rank: number; readonly paidAt: number; readonly transactionId: string };

/** The same payment may say more than before. */
function isBetter(claim: Claim, known: Readonly<Record<string, unknown>>): boolean {
  if (claim.transactionId === known.transaction_id) return true;
  if (claim.rank !== known.rank) return claim.rank < Number(known.rank);
  if (claim.paidAt !== known.paid_at) return claim.paidAt < Number(known.paid_at);
  return claim.transactionId < String(known.transaction_id);
}

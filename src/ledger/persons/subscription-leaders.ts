import type { PersonKey } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';
import type { PersonBook } from './person-book.ts';

/** A payment that identifies the payer of its subscription. */
type Leader = PersonKey & { readonly paidAt: number; readonly transactionId: string };

/** The most reliable kinds of keys come first. */
const RANKS: Readonly<Record<PersonKey['kind'], number>> = {
  visitor: 0,
  customer: 1,
  email: 2,
  user: 3,
};

/**
 * Proposes a payment as the leader of its subscription, in a transaction. It becomes the leader if it is better than
 * the current one.
 *
 * - Shape: a subscription belongs to the person of its earliest payment with a visitor id, else with a customer
 *   id, else with an e-mail address. The order of arrival does not matter.
 */
export async function proposeLeader(
  { sql, book }: { readonly sql: Sql; readonly book: PersonBook },
  siteId: string,
  subscriptionId: string,
  leader: Leader,
): Promise<void> {
  const { kind, key, paidAt, transactionId } = leader;
  const rank = RANKS[kind];
  const known = await sql.get(
    'SELECT * FROM subscription_leaders WHERE site_id = ? AND subscription_id = ?',
    ...[siteId, subscriptionId],
  );
  if (known !== undefined && !isBetter({ rank, paidAt, transactionId }, known)) return;
  if (known?.kind === kind && known.key === key && known.paid_at === paidAt) return;
  await sql.run(
    `INSERT INTO subscription_leaders
       (site_id, subscription_id, rank, paid_at, transaction_id, kind, key)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (site_id, subscription_id) DO UPDATE SET rank = excluded.rank,
       paid_at = excluded.paid_at, transaction_id = excluded.transaction_id,
       kind = excluded.kind, key = excluded.key`,
    ...[siteId, subscriptionId, rank, paidAt, transactionId, kind, key],
  );
  await book.follow(siteId, 'subscription', subscriptionId, leader);
  const withoutVisitor = await sql.all(
    `SELECT transaction_id FROM payments
     WHERE site_id = ? AND subscription_id = ? AND visitor_id IS NULL`,
    ...[siteId, subscriptionId],
  );
  for (const row of withoutVisitor) {
    await book.followSubscription(siteId, String(row.transaction_id), subscriptionId);
  }
}

type Rank = { readonly rank: number; readonly paidAt: number; readonly transactionId: string };

/** The current leader may always replace itself, because its payment may have changed. */
function isBetter(claim: Rank, known: Readonly<Record<string, unknown>>): boolean {
  if (claim.transactionId === known.transaction_id) return true;
  if (claim.rank !== known.rank) return claim.rank < Number(known.rank);
  if (claim.paidAt !== known.paid_at) return claim.paidAt < Number(known.paid_at);
  return claim.transactionId < String(known.transaction_id);
}

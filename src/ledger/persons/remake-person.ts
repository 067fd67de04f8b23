import type { DatabaseSync } from 'node:sqlite';
import { createFindPayments } from '../payments/find-payments.ts';
import type { RecordedPayment } from '../payments/project-payment.ts';
import type { AnyKey, PersonKey } from './person-book.ts';
import { createPersonFacts, toJoiningKeys } from './person-facts.ts';

/**
 * Makes persons anew. Both belong in the caller's transaction, after all facts that are new have
 * been taken in.
 */
export interface PersonRemaker {
  /** The person of a key, of the facts that are left: it may fall apart into several. */
  remake(siteId: string, of: PersonKey): void;
  /** Undoes the joins of a visitor: no key that joined it joins it again. Returns these keys. */
  separate(siteId: string, visitorId: string, at: number): readonly PersonKey[];
}

/** The remaker on a connection to the ledger. */
export function createPersonRemaker(db: DatabaseSync): PersonRemaker {
  const { book, separations, takeIdentity, takePayment } = createPersonFacts(db);
  const findPayments = createFindPayments(db);
  const identitiesOf = db.prepare(`
    SELECT * FROM identities
    WHERE site_id = ? AND visitor_id IN (SELECT value FROM json_each(?)) ORDER BY id`);
  const versionsOf = db.prepare(`
    SELECT version FROM payments WHERE site_id = ?1 AND (
      visitor_id IN (SELECT value FROM json_each(?2))
      OR customer_id IN (SELECT value FROM json_each(?3))
      OR email IN (SELECT value FROM json_each(?4))
      OR transaction_id IN (SELECT value FROM json_each(?5))
      OR transaction_id IN (SELECT original_transaction_id FROM refunds WHERE site_id = ?1 AND (
        visitor_id IN (SELECT value FROM json_each(?2))
        OR customer_id IN (SELECT value FROM json_each(?3))
        OR email IN (SELECT value FROM json_each(?4)))))
    ORDER BY version`);
  versionsOf.setReadBigInts(true);
  const paymentsOf = db.prepare(`
    SELECT customer_id, email FROM payments WHERE site_id = $site AND visitor_id = $visitor
    UNION SELECT customer_id, email FROM refunds WHERE site_id = $site AND visitor_id = $visitor`);
  const forgetLeader = db.prepare(
    'DELETE FROM subscription_leaders WHERE site_id = ? AND subscription_id = ?',
  );

  function takeFactsOf(siteId: string, keys: readonly AnyKey[]): void {
    const keysOf = (kind: string) =>
      JSON.stringify(keys.filter((each) => each.kind === kind).map(({ key }) => key));
    identitiesOf.all(siteId, keysOf('visitor')).forEach(takeIdentity);
    const kinds = ['visitor', 'customer', 'email', 'transaction'].map(keysOf);
    for (const { version } of versionsOf.all(siteId, ...kinds)) {
      const upTo = version as bigint;
      for (const payment of findPayments({ after: upTo - 1n, upTo }, 1)) {
        takePayment(payment);
        if (keys.some(({ kind, key }) => kind === 'transaction' && key === payment.transactionId)) {
          putAgain(payment);
        }
      }
    }
  }

  /** The warehouse knows whose it was: it must hear whose it is, also where a visitor says so. */
  function putAgain({ siteId, transactionId, record }: RecordedPayment): void {
    const [leader] = toJoiningKeys(record);
    if (leader === undefined || book.isFollowing(siteId, transactionId)) return;
    book.follow(siteId, 'transaction', transactionId, leader);
  }

  function remake(siteId: string, of: PersonKey): void {
    const keys = book.takeApart(siteId, of);
    for (const { kind, key } of keys) {
      if (kind === 'subscription') forgetLeader.run(siteId, key);
    }
    takeFactsOf(siteId, keys);
    book.project();
  }

  return {
    remake,
    separate(siteId, visitorId, at) {
      const facts = [
        ...identitiesOf.all(siteId, JSON.stringify([visitorId])),
        ...paymentsOf.all({ site: siteId, visitor: visitorId }),
      ];
      const keys = facts
        .filter(({ proof }) => proof !== 'claim')
        .flatMap((row) =>
          toJoiningKeys({
            userId: String(row.user_id ?? ''),
            customerId: String(row.customer_id ?? ''),
            email: String(row.email ?? ''),
          }),
        );
      separations.add(siteId, visitorId, keys, at);
      remake(siteId, { kind: 'visitor', key: visitorId });
      return keys;
    },
  };
}

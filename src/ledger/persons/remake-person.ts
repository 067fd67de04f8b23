import type { DatabaseSync } from 'node:sqlite';
import { createFindPayments } from '../payments/find-payments.ts';
import type { RecordedPayment } from '../payments/project-payment.ts';
import { STATED_SQL } from './find-joins.ts';
import type { AnyKey, PersonKey } from './person-book.ts';
import { createPersonFacts, toJoiningKeys } from './person-facts.ts';

/** Rebuilds persons. Both methods run in the caller's transaction, after all pending facts have been resolved. */
export interface PersonRemaker {
  /** Rebuilds the person of a key from the remaining facts. It may split into several persons. */
  remake(siteId: string, of: AnyKey): void;
  /** Undoes the joins of a visitor for good. Returns the keys that no longer join it. */
  separate(siteId: string, visitorId: string, at: number): readonly PersonKey[];
}

/** Creates the remaker on a ledger connection. */
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
      OR subscription_id IN (SELECT value FROM json_each(?6))
      OR transaction_id IN (SELECT original_transaction_id FROM refunds WHERE site_id = ?1 AND (
        visitor_id IN (SELECT value FROM json_each(?2))
        OR customer_id IN (SELECT value FROM json_each(?3))
        OR email IN (SELECT value FROM json_each(?4)))))
    ORDER BY version`);
  versionsOf.setReadBigInts(true);
  const paymentsOf = db.prepare(STATED_SQL);
  const forgetLeader = db.prepare(
    'DELETE FROM subscription_leaders WHERE site_id = ? AND subscription_id = ?',
  );

  function takeFactsOf(siteId: string, keys: readonly AnyKey[]): void {
    const keysOf = (kind: string) =>
      JSON.stringify(keys.filter((each) => each.kind === kind).map(({ key }) => key));
    identitiesOf.all(siteId, keysOf('visitor')).forEach(takeIdentity);
    const kinds = ['visitor', 'customer', 'email', 'transaction', 'subscription'].map(keysOf);
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

  /** The warehouse has the old person of the transaction, so it needs the new one, even if a visitor implies it. */
  function putAgain({ siteId, transactionId, record }: RecordedPayment): void {
    const [leader] = toJoiningKeys(record);
    if (leader === undefined || book.isFollowing(siteId, transactionId)) return;
    book.follow(siteId, 'transaction', transactionId, leader);
  }

  function remake(siteId: string, of: AnyKey): void {
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
      const visitors = JSON.stringify([visitorId]);
      const facts = [identitiesOf, paymentsOf].flatMap((of) => of.all(siteId, visitors));
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

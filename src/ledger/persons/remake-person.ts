import type { PersonKey } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { findPaymentsAt } from '../payments/find-payments.ts';
import { lockPersons } from '../schema/counters.ts';
import { STATED_SQL } from './find-joins.ts';
import { createPersonFacts, type PreparedPayment, toJoiningKeys } from './person-facts.ts';
import type { AnyKey } from './person-graph.ts';
import { separate } from './separations.ts';

const IDENTITIES_OF = `
  SELECT * FROM identities
  WHERE site_id = ?1 AND visitor_id IN (SELECT value FROM json_each(?2)) ORDER BY id`;
const COLUMNS = ['visitor_id', 'customer_id', 'email', 'transaction_id', 'subscription_id'];
/** One SELECT for each kind of key, so that each finds its index. Withdrawn payments, without a currency, say nothing. */
const VERSIONS_OF = `
  ${COLUMNS.map(
    (column, index) => `SELECT version FROM payments
      WHERE site_id = ?1 AND ${column} IN (SELECT value FROM json_each(?${index + 2})) AND currency <> ''`,
  ).join(' UNION ')}
  UNION SELECT version FROM payments WHERE site_id = ?1
    AND transaction_id IN (SELECT original_transaction_id FROM refunds WHERE site_id = ?1 AND (
      visitor_id IN (SELECT value FROM json_each(?2))
      OR customer_id IN (SELECT value FROM json_each(?3))
      OR email IN (SELECT value FROM json_each(?4))))
  ORDER BY version`;

/** Creates the functions that rebuild persons in a transaction, after all pending facts have been resolved. */
export function createPersonRemaker(sql: Sql) {
  const { book, takeIdentities, read, takePayment } = createPersonFacts(sql);

  async function takeFactsOf(siteId: string, keys: readonly AnyKey[]): Promise<void> {
    const keysOf = (kind: string) =>
      JSON.stringify(keys.filter((each) => each.kind === kind).map(({ key }) => key));
    await takeIdentities(await sql.all(IDENTITIES_OF, siteId, keysOf('visitor')));
    const kinds = ['visitor', 'customer', 'email', 'transaction', 'subscription'].map(keysOf);
    const transactions = new Set(JSON.parse(keysOf('transaction')));
    const versions = await sql.all(VERSIONS_OF, siteId, ...kinds);
    const payments = await findPaymentsAt(
      sql,
      versions.map(({ version }) => Number(version)),
    );
    for (const known of await read(payments)) {
      await takePayment(known);
      if (transactions.has(known.payment.transactionId)) await putAgain(known);
    }
  }

  /** The warehouse has the old person of the transaction, so it needs the new one, even if a visitor implies it. */
  async function putAgain({ payment, leader }: PreparedPayment): Promise<void> {
    const { siteId, transactionId } = payment;
    if (leader === undefined || (await book.isFollowing(siteId, transactionId))) return;
    await book.follow(siteId, 'transaction', transactionId, leader);
  }

  /** Rebuilds the persons of keys from the remaining facts. They may split into several persons. */
  async function remake(siteId: string, ...of: readonly AnyKey[]): Promise<void> {
    await lockPersons(sql);
    const keys = await book.takeApart(siteId, of);
    const subscriptions = keys.flatMap(({ kind, key }) => (kind === 'subscription' ? key : []));
    await sql.run(
      `DELETE FROM subscription_leaders WHERE site_id = ?
         AND subscription_id IN (SELECT value FROM json_each(?))`,
      ...[siteId, JSON.stringify(subscriptions)],
    );
    await takeFactsOf(siteId, keys);
    await book.project();
  }

  return {
    remake,
    /** Undoes the joins of a visitor for good. Returns the keys that no longer join it. */
    async separate(siteId: string, visitorId: string, at: number): Promise<readonly PersonKey[]> {
      const visitors = JSON.stringify([visitorId]);
      const facts = [
        ...(await sql.all(IDENTITIES_OF, siteId, visitors)),
        ...(await sql.all(STATED_SQL, siteId, visitors)),
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
      await separate(sql, siteId, visitorId, { keys, at });
      await remake(siteId, { kind: 'visitor', key: visitorId });
      return keys;
    },
  };
}

import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import { findJoins, type Join } from '../persons/find-joins.ts';
import { PAID_AT, REFUND_AT } from '../schema/schema.ts';
import { findSubject, type Subject, type SubjectScope } from './erase-person.ts';

/** Everything in the ledger about one visitor or person. */
export type KnownPerson = {
  readonly subject: Subject;
  /** Why each visitor belongs to the person; empty for a single visitor. */
  readonly joins: readonly Join[];
  /** The person's payments, with amounts in whole minor units and instants in milliseconds. */
  readonly payments: readonly SqlRow[];
  readonly identities: readonly SqlRow[];
};

/** Finds everything in the ledger about a visitor or its person. */
export async function findKnownPerson(
  sql: Sql,
  siteId: string,
  visitorId: string,
  scope: SubjectScope,
): Promise<KnownPerson> {
  const subject = await findSubject(sql, siteId, visitorId, scope);
  const payments = await sql.all(
    `SELECT transaction_id, '' AS original_transaction_id, currency,
       CAST(coalesce(stated_minor, refund_stated_minor, 0) AS TEXT) AS amount_minor,
       CAST(refund_stated_minor AS TEXT) AS refunded_minor, renewal,
       ${PAID_AT} AS paid_at, visitor_id, email, name, customer_id,
       subscription_id, product
     FROM payments WHERE site_id = ?1 AND transaction_id IN (SELECT value FROM json_each(?2))
     UNION ALL
     SELECT transaction_id, original_transaction_id, currency, CAST(amount_minor AS TEXT),
       CAST(amount_minor AS TEXT), 0, ${REFUND_AT}, visitor_id, email, name,
       customer_id, subscription_id, product
     FROM refunds WHERE site_id = ?1 AND transaction_id IN (SELECT value FROM json_each(?2))
     ORDER BY paid_at, transaction_id`,
    ...[siteId, JSON.stringify(subject.transactions)],
  );
  const identities = await sql.all(
    `SELECT visitor_id, user_id, email, proof, first_at, last_at FROM identities
     WHERE site_id = ? AND visitor_id IN (SELECT value FROM json_each(?)) ORDER BY first_at, id`,
    ...[siteId, JSON.stringify(subject.visitors)],
  );
  const joins = scope === 'person' ? await findJoins(sql, siteId, subject.visitors) : [];
  return { subject, joins, payments, identities };
}

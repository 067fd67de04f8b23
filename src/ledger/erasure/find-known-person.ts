import type { KnownPerson } from '#domain/identity/known-person.ts';
import type { SubjectScope } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { FACTS, toPaymentOfPerson } from '../payments/payment-columns.ts';
import { findIdentities } from '../persons/find-identities.ts';
import { findJoins } from '../persons/find-joins.ts';
import { PAID_AT, REFUND_AT } from '../schema/schema.ts';
import { findSubject } from './erase-person.ts';

/** Finds everything in the ledger about a visitor or its person. */
export async function findKnownPerson(
  sql: Sql,
  siteId: string,
  visitorId: string,
  scope: SubjectScope,
): Promise<KnownPerson> {
  const subject = await findSubject(sql, siteId, visitorId, scope);
  const payments = await sql.arrays(
    `SELECT transaction_id, NULL, currency,
       CAST(coalesce(stated_minor, refund_stated_minor, 0) AS TEXT),
       CAST(refund_stated_minor AS TEXT), renewal, ${PAID_AT} AS paid_at, ${FACTS}
     FROM payments WHERE site_id = ?1 AND transaction_id IN (SELECT value FROM json_each(?2))
     UNION ALL
     SELECT transaction_id, original_transaction_id, currency, CAST(amount_minor AS TEXT),
       CAST(amount_minor AS TEXT), 0, ${REFUND_AT}, ${FACTS}
     FROM refunds WHERE site_id = ?1 AND transaction_id IN (SELECT value FROM json_each(?2))
     ORDER BY paid_at, transaction_id`,
    ...[siteId, JSON.stringify(subject.transactions)],
  );
  return {
    subject,
    joins: scope === 'person' ? await findJoins(sql, siteId, subject.visitors) : [],
    payments: payments.map((row) => toPaymentOfPerson(row)),
    identities: await findIdentities(sql, siteId, subject.visitors),
  };
}

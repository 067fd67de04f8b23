import type { DatabaseSync } from 'node:sqlite';
import { PERSONAL_COLUMNS } from '../payments/payment-store.ts';
import type { PersonKeys } from '../persons/find-person-keys.ts';
import type { PersonRemaker } from '../persons/remake-person.ts';

/** All identifiers of a person on a site. */
export type Subject = PersonKeys & {
  /** Payments of the person, and their refunds with separate ids. */
  readonly transactions: readonly string[];
};

/** The scope of a request: one visitor, or all visitors of the person. */
export type SubjectScope = 'visitor' | 'person';

/** The subject of a request, by the ledger's current state. */
export function findSubject(
  db: DatabaseSync,
  siteId: string,
  visitorId: string,
  scope: SubjectScope,
): Subject {
  return scope === 'person'
    ? findPerson(db, siteId, visitorId)
    : findVisitor(db, siteId, visitorId);
}

/** The identifiers reported for one visitor, even if other visitors share them. */
function findVisitor(db: DatabaseSync, siteId: string, visitorId: string): Subject {
  const rows = db
    .prepare(`
      SELECT user_id, '' AS customer_id, email, '' AS id FROM identities
      WHERE site_id = ?1 AND visitor_id = ?2
      UNION SELECT '', customer_id, email, transaction_id FROM payments
      WHERE site_id = ?1 AND visitor_id = ?2
      UNION SELECT '', customer_id, email, transaction_id FROM refunds
      WHERE site_id = ?1 AND visitor_id = ?2`)
    .all(siteId, visitorId);
  const all = (column: string) => [
    ...new Set(rows.map((row) => String(row[column] ?? '')).filter((text) => text !== '')),
  ];
  const paid = all('id');
  const refunds = db
    .prepare(`
      SELECT transaction_id FROM refunds
      WHERE site_id = ?1 AND original_transaction_id IN (SELECT value FROM json_each(?2))`)
    .all(siteId, JSON.stringify(paid));
  return {
    visitors: [visitorId],
    users: all('user_id'),
    customers: all('customer_id'),
    emails: all('email'),
    transactions: [...new Set([...paid, ...refunds.map((row) => String(row.transaction_id))])],
  };
}

/** The visitor's person, with all visitors and payments. */
function findPerson(db: DatabaseSync, siteId: string, visitorId: string): Subject {
  const keys = db
    .prepare(`
      SELECT kind, key FROM person_keys WHERE person = (
        SELECT person FROM person_keys WHERE site_id = ? AND kind = 'visitor' AND key = ?)`)
    .all(siteId, visitorId);
  const ofKind = (kind: string) =>
    keys.filter((row) => row.kind === kind).map((row) => String(row.key));
  const named = {
    visitors: [...new Set([visitorId, ...ofKind('visitor')])],
    users: ofKind('user'),
    customers: ofKind('customer'),
    emails: ofKind('email'),
  };
  const paid = findTransactions(db, siteId, { ...named, following: ofKind('transaction') });
  return { ...named, transactions: paid };
}

function findTransactions(
  db: DatabaseSync,
  siteId: string,
  named: Pick<Subject, 'visitors' | 'customers' | 'emails'> & { following: readonly string[] },
): string[] {
  const { visitors, customers, emails, following } = named;
  const rows = db
    .prepare(`
      WITH named AS (
        SELECT transaction_id, '' AS original, visitor_id, customer_id, email FROM payments
        WHERE site_id = ?1
        UNION ALL
        SELECT transaction_id, original_transaction_id, visitor_id, customer_id, email FROM refunds
        WHERE site_id = ?1
      ), own AS (
        SELECT transaction_id, original FROM named
        WHERE visitor_id IN (SELECT value FROM json_each(?2))
          OR customer_id IN (SELECT value FROM json_each(?3))
          OR email IN (SELECT value FROM json_each(?4))
          OR transaction_id IN (SELECT value FROM json_each(?5))
      )
      SELECT transaction_id FROM own
      UNION SELECT transaction_id FROM named WHERE original IN (SELECT transaction_id FROM own)`)
    .all(siteId, ...[visitors, customers, emails, following].map((list) => JSON.stringify(list)));
  return rows.map((row) => String(row.transaction_id));
}

/** Numbers of rows that an erasure changed or deleted in the ledger. */
export type ErasedFromLedger = { readonly payments: number; readonly identities: number };

/**
 * Erases a person from the ledger. Payments keep their amounts. Runs in the caller's transaction.
 *
 * - Idempotent. The payments get new versions, so that they ship to the warehouse again.
 */
export function erasePerson(
  db: DatabaseSync,
  siteId: string,
  subject: Subject,
  at: number,
  remake: PersonRemaker['remake'],
): ErasedFromLedger {
  const { visitors, customers, emails, transactions } = subject;
  const ids = JSON.stringify(transactions);
  const cleared = PERSONAL_COLUMNS.map((column) => `${column} = NULL`).join(', ');
  const isTheirs = 'site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))';
  db.prepare(`UPDATE refunds SET ${cleared}, erased_at = ? WHERE ${isTheirs}`).run(at, siteId, ids);
  const version = db.prepare(
    "UPDATE counters SET value = value + 1 WHERE name = 'payments' RETURNING value",
  );
  const clear = db.prepare(
    `UPDATE payments SET ${cleared}, erased_at = ?, version = ? WHERE site_id = ? AND transaction_id = ?`,
  );
  const paid = db.prepare(`SELECT transaction_id FROM payments WHERE ${isTheirs}`).all(siteId, ids);
  for (const row of paid) {
    clear.run(at, Number(version.get()?.value), siteId, String(row.transaction_id));
  }
  const identities = remove('identities', 'visitor_id', visitors);
  remove('separations', 'visitor_id', visitors);
  const leading = { visitor: visitors, customer: customers, email: emails };
  for (const [kind, keys] of Object.entries(leading)) {
    remove('subscription_leaders', `kind = '${kind}' AND key`, keys);
  }
  for (const key of visitors) remake(siteId, { kind: 'visitor', key });
  remove('persons', "kind = 'visitor' AND key", visitors);
  remove('persons', "kind = 'transaction' AND key", transactions);
  remove('answers', 'subject', [...visitors, ...transactions]);
  remove('payment_changes', "change = 'visitor' AND transaction_id", transactions);
  db.prepare(`
    DELETE FROM set_aside_batches WHERE EXISTS (
      SELECT 1 FROM json_each(?) WHERE instr(lines, CAST(value AS BLOB)) > 0)`).run(
    JSON.stringify(visitors),
  );
  return { payments: paid.length, identities };

  /** Deletes the site's rows whose column is one of the keys. Returns their number. */
  function remove(table: string, column: string, keys: readonly string[]): number {
    const isOneOf = `${column} IN (SELECT value FROM json_each(?))`;
    const statement = db.prepare(`DELETE FROM ${table} WHERE site_id = ? AND ${isOneOf}`);
    return Number(statement.run(siteId, JSON.stringify(keys)).changes);
  }
}

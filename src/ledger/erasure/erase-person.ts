import type { DatabaseSync } from 'node:sqlite';
import { PERSONAL_COLUMNS } from '../payments/payment-store.ts';

/** Everything that a person is known by on a site. */
export type Subject = {
  readonly visitors: readonly string[];
  readonly users: readonly string[];
  readonly customers: readonly string[];
  readonly emails: readonly string[];
  /** Payments of the person, and refunds of these with ids of their own. */
  readonly transactions: readonly string[];
};

/**
 * The person that a visitor is, with all visitors and payments, as the ledger knows them now.
 *
 * Why the whole person: who asks to be forgotten asks it for their phone and their laptop, and an e-mail
 * address is gone only when it is gone from all of their payments.
 */
export function findSubject(db: DatabaseSync, siteId: string, visitorId: string): Subject {
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

/** What an erasure took out of the ledger. */
export type ErasedFromLedger = { readonly payments: number; readonly identities: number };

/**
 * Takes a person out of the ledger: of payments the money stays. Belongs in the caller's transaction.
 *
 * - Safe to repeat. The payments take new versions, so that the warehouse hears of it.
 */
export function erasePerson(
  db: DatabaseSync,
  siteId: string,
  subject: Subject,
  at: number,
): ErasedFromLedger {
  const { visitors, users, customers, emails, transactions } = subject;
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
  removePersons(db, siteId, visitors);
  const keysByKind = {
    visitor: visitors,
    transaction: transactions,
    customer: customers,
    email: emails,
  };
  for (const [kind, keys] of Object.entries(keysByKind)) {
    for (const table of ['persons', 'subscription_leaders']) {
      remove(table, `kind = '${kind}' AND key`, keys);
    }
  }
  // A caller may have put anything into the key under which an answer is kept.
  const texts = [...visitors, ...emails, ...customers, ...users].filter((text) => text.length > 3);
  db.prepare(`
    DELETE FROM answers WHERE site_id = ? AND EXISTS (
      SELECT 1 FROM json_each(?) WHERE instr(answers.key || answers.answer, value) > 0)`).run(
    siteId,
    JSON.stringify(texts),
  );
  db.prepare(`
    DELETE FROM set_aside_batches WHERE EXISTS (
      SELECT 1 FROM json_each(?) WHERE instr(lines, CAST(value AS BLOB)) > 0)`).run(
    JSON.stringify(visitors),
  );
  return { payments: paid.length, identities };

  /** Removes the site's rows whose column is one of the keys; returns how many. */
  function remove(table: string, column: string, keys: readonly string[]): number {
    const isOneOf = `${column} IN (SELECT value FROM json_each(?))`;
    const statement = db.prepare(`DELETE FROM ${table} WHERE site_id = ? AND ${isOneOf}`);
    return Number(statement.run(siteId, JSON.stringify(keys)).changes);
  }
}

function removePersons(db: DatabaseSync, siteId: string, visitors: readonly string[]): void {
  const persons = db
    .prepare(`
      SELECT DISTINCT person FROM person_keys
      WHERE site_id = ? AND kind = 'visitor' AND key IN (SELECT value FROM json_each(?))`)
    .all(siteId, JSON.stringify(visitors));
  for (const { person } of persons) {
    db.prepare('DELETE FROM person_keys WHERE person = ?').run(Number(person));
    db.prepare('DELETE FROM people WHERE person = ?').run(Number(person));
  }
}

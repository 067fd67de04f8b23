import type { Subject, SubjectScope } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { PERSONAL_COLUMNS } from '../payments/payment-columns.ts';
import { findKeys, findPersonOf } from '../persons/find-person-keys.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { lockVersions } from '../schema/counters.ts';
import { eraseProviderEvents } from './erase-provider-events.ts';
import { noteErased } from './erased-visitors.ts';

/** The subject of a request, by the ledger's current state. */
export function findSubject(
  sql: Sql,
  siteId: string,
  visitorId: string,
  scope: SubjectScope,
): Promise<Subject> {
  return scope === 'person'
    ? findPerson(sql, siteId, visitorId)
    : findVisitor(sql, siteId, visitorId);
}

/** The identifiers reported for one visitor, even if other visitors share them. */
async function findVisitor(sql: Sql, siteId: string, visitorId: string): Promise<Subject> {
  const rows = await sql.all(
    `SELECT user_id, '' AS customer_id, email, '' AS id FROM identities
     WHERE site_id = ?1 AND visitor_id = ?2
     UNION SELECT '', customer_id, email, transaction_id FROM payments
     WHERE site_id = ?1 AND visitor_id = ?2
     UNION SELECT '', customer_id, email, transaction_id FROM refunds
     WHERE site_id = ?1 AND visitor_id = ?2`,
    ...[siteId, visitorId],
  );
  const all = (column: string) => [
    ...new Set(rows.map((row) => String(row[column] ?? '')).filter((text) => text !== '')),
  ];
  const paid = all('id');
  const refunds = await sql.all(
    `SELECT transaction_id FROM refunds
     WHERE site_id = ?1 AND original_transaction_id IN (SELECT value FROM json_each(?2))`,
    ...[siteId, JSON.stringify(paid)],
  );
  return {
    visitors: [visitorId],
    users: all('user_id'),
    customers: all('customer_id'),
    emails: all('email'),
    transactions: [...new Set([...paid, ...refunds.map((row) => String(row.transaction_id))])],
  };
}

/** The visitor's person, with all visitors and payments. */
async function findPerson(sql: Sql, siteId: string, visitorId: string): Promise<Subject> {
  const person = await findPersonOf(sql, siteId, visitorId);
  const { keys, following } = await findKeys(sql, siteId, person);
  const named = { ...keys, visitors: [...new Set([visitorId, ...keys.visitors])] };
  return { ...named, transactions: await findTransactions(sql, siteId, { ...named, following }) };
}

const listOf = (number: number) => `IN (SELECT value FROM json_each(?${number}))`;
const paidBy = (column: string, number: number) =>
  `SELECT transaction_id FROM payments WHERE site_id = ?1 AND ${column} ${listOf(number)}`;

/** Each part has an index; there are few refunds. */
export const TRANSACTIONS_OF = `WITH own AS (
    ${paidBy('visitor_id', 2)} UNION ALL ${paidBy('customer_id', 3)} UNION ALL ${paidBy('email', 4)}
    UNION ALL ${paidBy('transaction_id', 5)}
    UNION ALL SELECT transaction_id FROM refunds WHERE site_id = ?1 AND (visitor_id ${listOf(2)}
      OR customer_id ${listOf(3)} OR email ${listOf(4)} OR transaction_id ${listOf(5)}))
  SELECT transaction_id FROM own UNION ALL SELECT transaction_id FROM refunds
  WHERE site_id = ?1 AND original_transaction_id IN (SELECT transaction_id FROM own)`;

async function findTransactions(
  sql: Sql,
  siteId: string,
  named: Pick<Subject, 'visitors' | 'customers' | 'emails'> & { following: readonly string[] },
): Promise<string[]> {
  const { visitors, customers, emails, following } = named;
  const rows = await sql.all(
    TRANSACTIONS_OF,
    ...[siteId, ...[visitors, customers, emails, following].map((list) => JSON.stringify(list))],
  );
  return [...new Set(rows.map((row) => String(row.transaction_id)))].toSorted();
}

type ErasedFromLedger = { readonly payments: number; readonly identities: number };

/**
 * Erases a person from the ledger. Payments keep their amounts. Runs in the caller's transaction.
 *
 * - Idempotent. The payments get new versions, so that they ship to the warehouse again.
 */
export async function erasePerson(
  sql: Sql,
  siteId: string,
  subject: Subject,
  at: number,
): Promise<ErasedFromLedger> {
  const { visitors, customers, emails, transactions } = subject;
  const { remake } = createPersonRemaker(sql);
  const payments = await clearTransactions(sql, siteId, transactions, at);
  await eraseProviderEvents(sql, siteId, subject);
  await noteErased(sql, siteId, visitors, at);
  const identities = await remove('identities', 'visitor_id', visitors);
  await remove('separations', 'visitor_id', visitors);
  const leading = { visitor: visitors, customer: customers, email: emails };
  for (const [kind, keys] of Object.entries(leading)) {
    await remove('subscription_leaders', `kind = '${kind}' AND key`, keys);
  }
  for (const key of visitors) await remake(siteId, { kind: 'visitor', key });
  await remove('persons', "kind = 'visitor' AND key", visitors);
  await remove('persons', "kind = 'transaction' AND key", transactions);
  await remove('answers', 'subject', [...visitors, ...transactions]);
  await remove('payment_changes', "change = 'visitor' AND transaction_id", transactions);
  for (const visitor of visitors) {
    await sql.run('DELETE FROM set_aside_batches WHERE instr(lines, ?) > 0', Buffer.from(visitor));
  }
  return { payments, identities };

  /** Deletes the site's rows whose column is one of the keys. Returns their number. */
  function remove(table: string, column: string, keys: readonly string[]): Promise<number> {
    const isOneOf = `${column} IN (SELECT value FROM json_each(?))`;
    const statement = `DELETE FROM ${table} WHERE site_id = ? AND ${isOneOf}`;
    return sql.run(statement, siteId, JSON.stringify(keys));
  }
}

/** Clears what payments and refunds say of a person. Returns the number of payments. */
async function clearTransactions(
  sql: Sql,
  siteId: string,
  transactions: readonly string[],
  at: number,
): Promise<number> {
  const ids = JSON.stringify(transactions);
  const cleared = PERSONAL_COLUMNS.map((column) => `${column} = NULL`).join(', ');
  const isTheirs = 'site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))';
  const versions = await lockVersions(sql, 'payments');
  await sql.run(`UPDATE refunds SET ${cleared}, erased_at = ? WHERE ${isTheirs}`, at, siteId, ids);
  const paid = await sql.all(`SELECT id FROM payments WHERE ${isTheirs}`, siteId, ids);
  for (const { id = null } of paid) {
    const clear = `UPDATE payments SET ${cleared}, erased_at = ?, version = ? WHERE id = ?`;
    await sql.run(clear, at, versions.next(), id);
  }
  await versions.save();
  return paid.length;
}

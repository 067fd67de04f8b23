import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '#storage/durable-database.ts';
import { createFindPayments, LAST_VERSION } from '../payments/find-payments.ts';
import { createPersonFacts } from './person-facts.ts';

/** Brings the book of persons up to the facts of the ledger. */
export interface PersonResolver {
  /** Takes in some of the facts that are new. Answers whether there are more. */
  resolveSome(): boolean;
}

/** As many facts as one transaction takes: payments must not wait long for its end. */
const FACTS_AT_A_TIME = 250;

/**
 * The resolver on a connection of its own to the ledger.
 *
 * - Shape: identities in the order in which they came, payments by the version of their last change. What
 *   it has taken in it does not look at again, so that its work grows with what is new.
 * - Why not as payments are accepted: a caller would wait for what only reports need.
 */
export function createPersonResolver(db: DatabaseSync): PersonResolver {
  const facts = createPersonFacts(db);
  const findPayments = createFindPayments(db);
  const newIdentities = db.prepare('SELECT * FROM identities WHERE id > ? ORDER BY id LIMIT ?');
  const readMark = db.prepare('SELECT value FROM counters WHERE name = ?');
  readMark.setReadBigInts(true);
  const saveMark = db.prepare('UPDATE counters SET value = ? WHERE name = ?');
  const isBehind = db.prepare(`
    SELECT (SELECT value FROM counters WHERE name = 'resolved_identities')
        < (SELECT coalesce(max(id), 0) FROM identities)
      OR (SELECT value FROM counters WHERE name = 'resolved_payments')
        < (SELECT value FROM counters WHERE name = 'payments') AS behind`);

  const markOf = (name: string) => readMark.get(name)?.value as bigint;

  function resolveIdentities(): void {
    const rows = newIdentities.all(markOf('resolved_identities'), FACTS_AT_A_TIME);
    rows.forEach(facts.takeIdentity);
    const last = rows.at(-1);
    if (last !== undefined) saveMark.run(Number(last.id), 'resolved_identities');
  }

  function resolvePayments(): void {
    const after = markOf('resolved_payments');
    const payments = findPayments({ after, upTo: LAST_VERSION }, FACTS_AT_A_TIME);
    payments.forEach(facts.takePayment);
    // Versions that an erasure took away are none to wait for.
    const full = payments.length === FACTS_AT_A_TIME;
    const last = full ? payments.at(-1)?.version : markOf('payments');
    if (last !== undefined && last !== after) saveMark.run(last, 'resolved_payments');
  }

  return {
    resolveSome() {
      if (isBehind.get()?.behind !== 1) return false;
      inTransaction(db, () => {
        resolveIdentities();
        resolvePayments();
        facts.book.project();
      });
      return isBehind.get()?.behind === 1;
    },
  };
}

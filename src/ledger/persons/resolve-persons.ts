import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '#storage/durable-database.ts';
import { createFindPayments, LAST_VERSION } from '../payments/find-payments.ts';
import { createPersonFacts } from './person-facts.ts';

/** Updates the identity graph with new facts of the ledger. */
export interface PersonResolver {
  /** Applies some of the pending facts. Returns whether there are more. */
  resolveSome(): boolean;
}

/** Facts per transaction. Payments wait for its end, so it must be short. */
const BATCH_FACTS = 250;

/**
 * Creates the resolver on its own ledger connection.
 *
 * - Shape: applies identities in order of arrival, and payments by the version of their last change. Each fact
 *   is read once, so the work is proportional to new facts.
 * - Why not when accepting payments: the caller would wait for something that only reports need.
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
    const rows = newIdentities.all(markOf('resolved_identities'), BATCH_FACTS);
    rows.forEach(facts.takeIdentity);
    const last = rows.at(-1);
    if (last !== undefined) saveMark.run(Number(last.id), 'resolved_identities');
  }

  function resolvePayments(): void {
    const after = markOf('resolved_payments');
    const payments = findPayments({ after, upTo: LAST_VERSION }, BATCH_FACTS);
    payments.forEach(facts.takePayment);
    // Erasures leave gaps in the versions, so an incomplete page ends at the newest version.
    const full = payments.length === BATCH_FACTS;
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

import type { Database, Sql } from '#storage/sql/sql.ts';
import { findPayments } from '../payments/find-payments.ts';
import { lockPersons, readCounter, saveCounter } from '../schema/counters.ts';
import { createPersonFacts, type PersonFacts } from './person-facts.ts';

/** Facts per transaction. Payments wait for its end, so it must be short. */
const BATCH_FACTS = 250;

/**
 * Applies some of the ledger's new facts to the identity graph. Returns whether there are more.
 *
 * - Shape: applies identities in order of arrival, and payments by the version of their last change. Each fact
 *   is read once, so the work is proportional to new facts.
 * - Why not when accepting payments: the caller would wait for something that only reports need.
 */
export async function resolveSome(db: Database): Promise<boolean> {
  if (!(await isBehind(db))) return false;
  await db.transaction(async (sql) => {
    await lockPersons(sql); // Another resolver would apply the same facts.
    const facts = createPersonFacts(sql);
    await resolveIdentities(sql, facts);
    await resolvePayments(sql, facts);
    await facts.book.project();
  });
  return isBehind(db);
}

/** Applies all of the ledger's new facts. */
export async function resolveAll(db: Database): Promise<void> {
  while (await resolveSome(db));
}

/** Whether there are facts that are not applied yet. */
export async function isBehind(sql: Sql): Promise<boolean> {
  const row = await sql.get(`
    SELECT CASE WHEN (SELECT value FROM counters WHERE name = 'resolved_identities')
        < (SELECT coalesce(max(id), 0) FROM identities)
      OR (SELECT value FROM counters WHERE name = 'resolved_payments')
        < (SELECT value FROM counters WHERE name = 'payments') THEN 1 ELSE 0 END AS behind`);
  return row?.behind === 1;
}

async function resolveIdentities(sql: Sql, facts: PersonFacts): Promise<void> {
  const after = await readCounter(sql, 'resolved_identities');
  const newer = 'SELECT * FROM identities WHERE id > ? ORDER BY id LIMIT ?';
  const rows = await sql.all(newer, after, BATCH_FACTS);
  await facts.takeIdentities(rows);
  const last = rows.at(-1);
  if (last !== undefined) await saveCounter(sql, 'resolved_identities', Number(last.id));
}

async function resolvePayments(sql: Sql, facts: PersonFacts): Promise<void> {
  const after = await readCounter(sql, 'resolved_payments');
  const newest = await readCounter(sql, 'payments'); // Before the payments: more may come in between.
  const payments = await findPayments(sql, { after, upTo: newest }, BATCH_FACTS);
  for (const known of await facts.read(payments)) await facts.takePayment(known);
  // Erasures leave gaps in the versions, so an incomplete page ends at the newest version.
  const isFull = payments.length === BATCH_FACTS;
  const last = isFull ? payments.at(-1)?.version : newest;
  if (last !== undefined && last !== after) await saveCounter(sql, 'resolved_payments', last);
}

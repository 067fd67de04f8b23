import type { Sql } from '#storage/sql/sql.ts';

/** The versions of changed payments or costs, or of changed rows of `persons`. */
export interface Versions {
  next(): number;
  /** The last one so far. */
  last(): number;
  /** Saves the last one. */
  save(): Promise<void>;
}

/**
 * Locks a counter of versions for the rest of the transaction.
 *
 * - Why the lock: transactions that change versions come one after the other, so that no reader sees a version before a
 *   lower one.
 */
export async function lockVersions(
  sql: Sql,
  counter: 'payments' | 'persons' | 'costs',
): Promise<Versions> {
  const lock = 'UPDATE counters SET value = value WHERE name = ? RETURNING value';
  const before = Number((await sql.get(lock, counter))?.value);
  let version = before;
  return {
    next() {
      version += 1;
      return version;
    },
    last: () => version,
    async save() {
      if (version === before) return;
      await sql.run('UPDATE counters SET value = ? WHERE name = ?', version, counter);
    },
  };
}

/** Lets nobody else change persons for the rest of the transaction: not the resolver of another server either. */
export async function lockPersons(sql: Sql): Promise<void> {
  await sql.run("UPDATE counters SET value = value WHERE name = 'resolved_identities'");
}

/** The value of a counter. */
export async function readCounter(sql: Sql, name: string): Promise<number> {
  return Number((await sql.get('SELECT value FROM counters WHERE name = ?', name))?.value);
}

/** Sets a counter. */
export async function saveCounter(sql: Sql, name: string, value: number): Promise<void> {
  await sql.run('UPDATE counters SET value = ? WHERE name = ?', value, name);
}

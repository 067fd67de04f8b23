import type { DatabaseSync } from 'node:sqlite';
import { createPersonRows } from './person-rows.ts';

/** Keys that join visitors: visitor ids, and ids that several visitors may share. */
export type JoiningKind = 'visitor' | 'user' | 'customer' | 'email';
/** Keys that are assigned to a person and may move to another. They never join persons. */
export type FollowingKind = 'transaction' | 'subscription';

/** Any key of a person. */
export type AnyKey = { readonly kind: JoiningKind | FollowingKind; readonly key: string };
/** A joining key. */
export type PersonKey = { readonly kind: JoiningKind; readonly key: string };

/** The identity graph: which keys belong to the same person. */
export interface PersonBook {
  /** Joins the persons of all keys, up to the limit of visitors per person. */
  join(siteId: string, keys: readonly PersonKey[]): void;
  /** Assigns a transaction or subscription to the person of a key. */
  follow(siteId: string, kind: FollowingKind, key: string, leader: PersonKey): void;
  /** Assigns a transaction to the person of its subscription, if it has one. Returns whether it has. */
  followSubscription(siteId: string, transactionId: string, subscriptionId: string): boolean;
  /** Whether a transaction is assigned to a person. */
  isFollowing(siteId: string, transactionId: string): boolean;
  /** Dissolves the person of a key. Returns its keys, for rebuilding. */
  takeApart(siteId: string, of: AnyKey): readonly AnyKey[];
  /** Writes all changed rows, for the warehouse. */
  project(): void;
}

/**
 * Maximum number of visitors of one person.
 *
 * Why a limit: an id that a program sends for everybody would join all visitors to one person, and every payment
 * would be credited to the site's first visit.
 */
export const PERSON_VISITORS_MAX = 200;

/**
 * Creates the identity graph of a ledger. Its writes run in the caller's transaction.
 *
 * - Shape: disjoint sets of keys. A join renames the smaller set, so a key is renamed only when its set at least
 *   doubles.
 * - A join that would give a person more than {@link PERSON_VISITORS_MAX} visitors is refused and counted in
 *   `refused_joins`.
 */
export function createPersonBook(db: DatabaseSync): PersonBook {
  const find = db.prepare(
    'SELECT person FROM person_keys WHERE site_id = ? AND kind = ? AND key = ?',
  );
  const put = db.prepare(`
    INSERT INTO person_keys (site_id, kind, key, person) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET person = excluded.person`);
  const addPerson = db.prepare(
    'INSERT INTO people (site_id, visitor_id, keys, visitors) VALUES (?, ?, 1, ?)',
  );
  const readSize = db.prepare('SELECT keys, visitors FROM people WHERE person = ?');
  const grow = db.prepare(
    'UPDATE people SET keys = keys + ?, visitors = visitors + ? WHERE person = ?',
  );
  const keysOf = db.prepare('SELECT kind, key FROM person_keys WHERE person = ?');
  const scatter = db.prepare('DELETE FROM person_keys WHERE person = ?');
  const rename = db.prepare('UPDATE person_keys SET person = ? WHERE person = ?');
  const forget = db.prepare('DELETE FROM people WHERE person = ?');
  const refuse = db.prepare("UPDATE counters SET value = value + 1 WHERE name = 'refused_joins'");
  const rows = createPersonRows(db);

  function findPerson(siteId: string, kind: string, key: string): number | undefined {
    const row = find.get(siteId, kind, key);
    return row && Number(row.person);
  }

  function findOrAdd(siteId: string, { kind, key }: PersonKey): number {
    const known = findPerson(siteId, kind, key);
    if (known !== undefined) return known;
    const isVisitor = kind === 'visitor';
    const added = addPerson.run(siteId, isVisitor ? key : null, isVisitor ? 1 : 0);
    const person = Number(added.lastInsertRowid);
    put.run(siteId, kind, key, person);
    return person;
  }

  function sizeOf(person: number): { keys: number; visitors: number } {
    const row = readSize.get(person);
    return { keys: Number(row?.keys), visitors: Number(row?.visitors) };
  }

  function joinTwo(a: number, b: number): number {
    const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)];
    if (sizeA.visitors + sizeB.visitors > PERSON_VISITORS_MAX) {
      refuse.run();
      return a;
    }
    const [kept, gone, size] = sizeA.keys >= sizeB.keys ? [a, b, sizeB] : [b, a, sizeA];
    rows.markAll(gone); // Before its keys are merged.
    rename.run(kept, gone);
    forget.run(gone);
    grow.run(size.keys, size.visitors, kept);
    return kept;
  }

  /** A new key joins directly, without a person of its own, unless it is a visitor and counts towards the limit. */
  function joinKey(siteId: string, joined: number, key: PersonKey): number {
    const person = findPerson(siteId, key.kind, key.key);
    if (person === joined) return joined;
    if (person !== undefined) return joinTwo(joined, person);
    if (key.kind === 'visitor') return joinTwo(joined, findOrAdd(siteId, key));
    put.run(siteId, key.kind, key.key, joined);
    grow.run(1, 0, joined);
    return joined;
  }

  function move(siteId: string, kind: FollowingKind, key: string, person: number): void {
    const before = findPerson(siteId, kind, key);
    if (before === person) return;
    put.run(siteId, kind, key, person);
    if (before !== undefined) grow.run(-1, 0, before);
    grow.run(1, 0, person);
    rows.mark(siteId, kind, key);
  }

  return {
    join(siteId, keys) {
      let joined: number | undefined;
      for (const key of keys) {
        if (joined === undefined) joined = findOrAdd(siteId, key);
        else joined = joinKey(siteId, joined, key);
      }
    },
    follow(siteId, kind, key, leader) {
      move(siteId, kind, key, findOrAdd(siteId, leader));
    },
    followSubscription(siteId, transactionId, subscriptionId) {
      const person = findPerson(siteId, 'subscription', subscriptionId);
      if (person !== undefined) move(siteId, 'transaction', transactionId, person);
      return person !== undefined;
    },
    isFollowing: (siteId, transactionId) =>
      findPerson(siteId, 'transaction', transactionId) !== undefined,
    takeApart(siteId, { kind, key }) {
      const person = findPerson(siteId, kind, key);
      if (person === undefined) return [];
      const keys = keysOf.all(person) as unknown as AnyKey[];
      rows.markAll(person);
      scatter.run(person);
      forget.run(person);
      return keys;
    },
    project: rows.write,
  };
}

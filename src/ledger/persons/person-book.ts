import type { DatabaseSync } from 'node:sqlite';
import { createPersonRows } from './person-rows.ts';

/** What holds visitors together: the visitors themselves, and ids that several may share. */
export type JoiningKind = 'visitor' | 'user' | 'customer' | 'email';
/** What belongs to the person of a joining key and may move to another: it joins nothing. */
export type FollowingKind = 'transaction' | 'subscription';

/** A key of a person, as it is kept. */
export type AnyKey = { readonly kind: JoiningKind | FollowingKind; readonly key: string };
/** A joining key on a site. */
export type PersonKey = { readonly kind: JoiningKind; readonly key: string };

/** Who belongs together. */
export interface PersonBook {
  /** Joins the persons of all keys, as far as the bound on visitors allows. */
  join(siteId: string, keys: readonly PersonKey[]): void;
  /** Puts a transaction or subscription to the person of a key. */
  follow(siteId: string, kind: FollowingKind, key: string, leader: PersonKey): void;
  /** Puts a transaction to the person that a subscription is put to, if it is. */
  followSubscription(siteId: string, transactionId: string, subscriptionId: string): boolean;
  /** Whether a transaction has been put to anybody. */
  isFollowing(siteId: string, transactionId: string): boolean;
  /** Takes the person of a key apart; returns its keys, of which it is to be made anew. */
  takeApart(siteId: string, of: PersonKey): readonly AnyKey[];
  /** Writes the rows of all that has changed, for the warehouse. */
  project(): void;
}

/**
 * How many visitors one person may have.
 *
 * Why a bound: an id that a program gives to everybody would make one person of all visitors, and
 * every payment would be credited to the first visit of the site.
 */
export const PERSON_VISITORS_MAX = 200;

/**
 * The book of persons in a ledger. Its writes belong in the caller's transaction.
 *
 * - Shape: a person is a set of keys; of two that are joined the smaller is renamed, so that a key
 *   is renamed as often as its set doubles, and no more.
 * - A join that would give a person more than {@link PERSON_VISITORS_MAX} visitors is left out, and
 *   counted in `refused_joins`.
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
    rows.markAll(gone); // While its keys can be distinguished.
    rename.run(kept, gone);
    forget.run(gone);
    grow.run(size.keys, size.visitors, kept);
    return kept;
  }

  /** What is new and no visitor joins without a person of its own, as it takes up no room. */
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

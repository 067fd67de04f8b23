import type { PersonKey } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { IN_NUMBERS } from '../schema/in-numbers.ts';
import { type AnyKey, createPersonGraph, type FollowingKind } from './person-graph.ts';
import { createPersonRows } from './person-rows.ts';

/**
 * Maximum number of visitors of one person.
 *
 * Why a limit: an id that a program sends for everybody would join all visitors to one person, and every payment
 * would be credited to the site's first visit.
 */
export const PERSON_VISITORS_MAX = 200;

const SIZE_OF = `
  SELECT visitors, (SELECT count(*) FROM person_keys WHERE person = people.person) AS keys
  FROM people WHERE person = ?`;

/** The identity graph of a transaction. */
export type PersonBook = ReturnType<typeof createPersonBook>;

/**
 * Creates the identity graph for a transaction: which keys belong to the same person.
 *
 * - Shape: disjoint sets of keys. A join renames the smaller set, so a key is renamed only when its set at least
 *   doubles.
 * - A join that would give a person more than {@link PERSON_VISITORS_MAX} visitors is refused and counted in
 *   `refused_joins`.
 */
export function createPersonBook(sql: Sql) {
  const rows = createPersonRows(sql);
  const graph = createPersonGraph(sql);
  const { findPerson, put } = graph;

  async function findOrAdd(siteId: string, { kind, key }: PersonKey): Promise<number> {
    const known = await findPerson(siteId, kind, key);
    if (known !== undefined) return known;
    const person = graph.add(siteId, kind === 'visitor' ? key : null);
    put(siteId, kind, key, person);
    return person;
  }

  async function sizeOf(person: number): Promise<{ keys: number; visitors: number }> {
    const row = await sql.get(SIZE_OF, person);
    return { keys: Number(row?.keys), visitors: Number(row?.visitors) };
  }

  async function joinTwo(one: number, other: number): Promise<number> {
    const now = await graph.write();
    const [a, b] = [now(one), now(other)];
    const [sizeA, sizeB] = [await sizeOf(a), await sizeOf(b)];
    if (sizeA.visitors + sizeB.visitors > PERSON_VISITORS_MAX) {
      await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'refused_joins'");
      return a;
    }
    const [kept, gone, size] = sizeA.keys >= sizeB.keys ? [a, b, sizeB] : [b, a, sizeA];
    await rows.markAll(gone); // Before its keys are merged.
    await sql.run('UPDATE person_keys SET person = ? WHERE person = ?', kept, gone);
    await sql.run('DELETE FROM people WHERE person = ?', gone);
    const grow = 'UPDATE people SET visitors = visitors + ? WHERE person = ?';
    await sql.run(grow, size.visitors, kept);
    graph.rename(gone, kept);
    return kept;
  }

  /** A new key joins directly, without a person of its own, unless it is a visitor and counts towards the limit. */
  async function joinKey(siteId: string, joined: number, key: PersonKey): Promise<number> {
    const person = await findPerson(siteId, key.kind, key.key);
    if (person === joined) return joined;
    if (person !== undefined) return joinTwo(joined, person);
    if (key.kind === 'visitor') return joinTwo(joined, await findOrAdd(siteId, key));
    put(siteId, key.kind, key.key, joined);
    return joined;
  }

  async function move(
    siteId: string,
    kind: FollowingKind,
    key: string,
    person: number,
  ): Promise<void> {
    const before = await findPerson(siteId, kind, key);
    if (before === person) return;
    put(siteId, kind, key, person);
    rows.mark(siteId, kind, key);
  }

  return {
    /** Joins the persons of all keys, up to the limit of visitors per person. */
    async join(siteId: string, keys: readonly PersonKey[]): Promise<void> {
      let joined: number | undefined;
      for (const key of keys) {
        if (joined === undefined) joined = await findOrAdd(siteId, key);
        else joined = await joinKey(siteId, joined, key);
      }
    },
    /** Assigns a transaction or subscription to the person of a key. */
    async follow(siteId: string, kind: FollowingKind, key: string, leader: PersonKey) {
      await move(siteId, kind, key, await findOrAdd(siteId, leader));
    },
    /** Assigns a transaction to the person of its subscription, if it has one. Returns whether it has. */
    async followSubscription(siteId: string, transactionId: string, subscriptionId: string) {
      const person = await findPerson(siteId, 'subscription', subscriptionId);
      if (person !== undefined) await move(siteId, 'transaction', transactionId, person);
      return person !== undefined;
    },
    /** Reads the persons of keys at once. Those of others are read when they are looked for. */
    load: graph.load,
    /** Whether a transaction is assigned to a person. */
    isFollowing: async (siteId: string, transactionId: string) =>
      (await findPerson(siteId, 'transaction', transactionId)) !== undefined,
    /** Dissolves the persons of keys. Returns their keys, for rebuilding. */
    async takeApart(siteId: string, keys: readonly AnyKey[]): Promise<readonly AnyKey[]> {
      await graph.write();
      await graph.load(siteId, keys);
      const found = keys.map(({ kind, key }) => findPerson(siteId, kind, key));
      const persons = JSON.stringify([...new Set(await Promise.all(found))].filter(Boolean));
      const theirs = await sql.all(
        `SELECT kind, key FROM person_keys WHERE person ${IN_NUMBERS}`,
        persons,
      );
      for (const { kind, key } of theirs) rows.mark(siteId, String(kind), String(key));
      await sql.run(`DELETE FROM person_keys WHERE person ${IN_NUMBERS}`, persons);
      await sql.run(`DELETE FROM people WHERE person ${IN_NUMBERS}`, persons);
      graph.forget();
      return theirs as unknown as AnyKey[];
    },
    /** Writes all that has changed, and its rows for the warehouse. */
    async project(): Promise<void> {
      await graph.write();
      graph.forget();
      await rows.write();
    },
  };
}

import type { JoiningKind, PersonKey } from '#domain/identity/person.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import { IN_NUMBERS } from '../schema/in-numbers.ts';
import { createPersonRows } from './person-rows.ts';

/** Keys that are assigned to a person and may move to another. They never join persons. */
type FollowingKind = 'transaction' | 'subscription';

/** Any key of a person. */
export type AnyKey = { readonly kind: JoiningKind | FollowingKind; readonly key: string };

/**
 * Maximum number of visitors of one person.
 *
 * Why a limit: an id that a program sends for everybody would join all visitors to one person, and every payment
 * would be credited to the site's first visit.
 */
export const PERSON_VISITORS_MAX = 200;

const PERSONS_OF = `SELECT DISTINCT person FROM person_keys
  WHERE site_id = ? AND kind = ? AND key IN (SELECT value FROM json_each(?))`;

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

  async function findPerson(
    siteId: string,
    kind: string,
    key: string,
  ): Promise<number | undefined> {
    const [row] = await sql.arrays(
      'SELECT person FROM person_keys WHERE site_id = ? AND kind = ? AND key = ?',
      ...[siteId, kind, key],
    );
    return row && Number(row[0]);
  }

  function put(siteId: string, kind: string, key: string, person: number): Promise<number> {
    return sql.run(
      `INSERT INTO person_keys (site_id, kind, key, person) VALUES (?, ?, ?, ?)
       ON CONFLICT (site_id, kind, key) DO UPDATE SET person = excluded.person`,
      ...[siteId, kind, key, person],
    );
  }

  async function findOrAdd(siteId: string, { kind, key }: PersonKey): Promise<number> {
    const known = await findPerson(siteId, kind, key);
    if (known !== undefined) return known;
    const isVisitor = kind === 'visitor';
    const added = await sql.get(
      'INSERT INTO people (site_id, visitor_id, keys, visitors) VALUES (?, ?, 1, ?) RETURNING person',
      ...[siteId, isVisitor ? key : null, isVisitor ? 1 : 0],
    );
    const person = Number(added?.person);
    await put(siteId, kind, key, person);
    return person;
  }

  async function sizeOf(person: number): Promise<{ keys: number; visitors: number }> {
    const row = await sql.get('SELECT keys, visitors FROM people WHERE person = ?', person);
    return { keys: Number(row?.keys), visitors: Number(row?.visitors) };
  }

  function grow(keys: number, visitors: number, person: number): Promise<number> {
    return sql.run(
      'UPDATE people SET keys = keys + ?, visitors = visitors + ? WHERE person = ?',
      ...[keys, visitors, person],
    );
  }

  async function joinTwo(a: number, b: number): Promise<number> {
    const [sizeA, sizeB] = [await sizeOf(a), await sizeOf(b)];
    if (sizeA.visitors + sizeB.visitors > PERSON_VISITORS_MAX) {
      await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'refused_joins'");
      return a;
    }
    const [kept, gone, size] = sizeA.keys >= sizeB.keys ? [a, b, sizeB] : [b, a, sizeA];
    await rows.markAll(gone); // Before its keys are merged.
    await sql.run('UPDATE person_keys SET person = ? WHERE person = ?', kept, gone);
    await sql.run('DELETE FROM people WHERE person = ?', gone);
    await grow(size.keys, size.visitors, kept);
    return kept;
  }

  /** A new key joins directly, without a person of its own, unless it is a visitor and counts towards the limit. */
  async function joinKey(siteId: string, joined: number, key: PersonKey): Promise<number> {
    const person = await findPerson(siteId, key.kind, key.key);
    if (person === joined) return joined;
    if (person !== undefined) return joinTwo(joined, person);
    if (key.kind === 'visitor') return joinTwo(joined, await findOrAdd(siteId, key));
    await put(siteId, key.kind, key.key, joined);
    await grow(1, 0, joined);
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
    await put(siteId, kind, key, person);
    if (before !== undefined) await grow(-1, 0, before);
    await grow(1, 0, person);
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
    /** Which of these transactions are assigned to a person. */
    async findFollowing(siteId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await sql.arrays(
        `SELECT key FROM person_keys
         WHERE site_id = ? AND kind = 'transaction' AND key IN (SELECT value FROM json_each(?))`,
        ...[siteId, JSON.stringify(ids)],
      );
      return new Set(rows.map(([key]) => String(key)));
    },
    /** Whether a transaction is assigned to a person. */
    isFollowing: async (siteId: string, transactionId: string) =>
      (await findPerson(siteId, 'transaction', transactionId)) !== undefined,
    /** Dissolves the persons of keys. Returns their keys, for rebuilding. */
    async takeApart(siteId: string, keys: readonly AnyKey[]): Promise<readonly AnyKey[]> {
      const found: SqlRow[] = [];
      for (const [kind, of] of Map.groupBy(keys, (each) => each.kind)) {
        const named = JSON.stringify(of.map(({ key }) => key));
        found.push(...(await sql.all(PERSONS_OF, siteId, kind, named)));
      }
      const persons = JSON.stringify([...new Set(found.map(({ person }) => Number(person)))]);
      const theirs = await sql.all(
        `SELECT kind, key FROM person_keys WHERE person ${IN_NUMBERS}`,
        persons,
      );
      for (const { kind, key } of theirs) rows.mark(siteId, String(kind), String(key));
      await sql.run(`DELETE FROM person_keys WHERE person ${IN_NUMBERS}`, persons);
      await sql.run(`DELETE FROM people WHERE person ${IN_NUMBERS}`, persons);
      return theirs as unknown as AnyKey[];
    },
    /** Writes all changed rows, for the warehouse. */
    project: rows.write,
  };
}

import type { JoiningKind } from '#domain/identity/person.ts';
import type { Sql, SqlValue } from '#storage/sql/sql.ts';

/** Keys that are assigned to a person and may move to another. They never join persons. */
export type FollowingKind = 'transaction' | 'subscription';

/** Any key of a person. */
export type AnyKey = { readonly kind: JoiningKind | FollowingKind; readonly key: string };

/** Keys of a site and kind with their persons, and which of them have changed. */
type Shelf = { readonly persons: Map<string, number | undefined>; readonly changed: Set<string> };
type AddedPerson = { readonly siteId: string; readonly visitorId: string | null };

/**
 * Creates what a transaction has read and changed of persons and their keys. Changes are written together, because a
 * database across a network answers few statements a second.
 */
export function createPersonGraph(sql: Sql) {
  const sites = new Map<string, Map<string, Shelf>>();
  const added = new Map<number, AddedPerson>();
  let lastAdded = 0;

  function shelfOf(siteId: string, kind: string): Shelf {
    const shelves = sites.getOrInsertComputed(siteId, () => new Map<string, Shelf>());
    return shelves.getOrInsertComputed(kind, () => ({ persons: new Map(), changed: new Set() }));
  }

  async function load(siteId: string, keys: readonly AnyKey[]): Promise<void> {
    for (const [kind, of] of Map.groupBy(keys, (each) => each.kind)) {
      const { persons } = shelfOf(siteId, kind);
      const unknown = of.flatMap(({ key }) => (persons.has(key) ? [] : [key]));
      if (unknown.length === 0) continue;
      for (const key of unknown) persons.set(key, undefined);
      const found = await sql.arrays(PERSONS_OF, siteId, kind, JSON.stringify(unknown));
      for (const [key, person] of found) persons.set(String(key), Number(person));
    }
  }

  function* allShelves() {
    for (const [siteId, shelves] of sites) {
      for (const [kind, shelf] of shelves) yield [siteId, kind, shelf] as const;
    }
  }

  /** Inserts added persons. Returns their numbers, by those that they had until now. */
  async function insertAdded(): Promise<ReadonlyMap<number, number>> {
    const rows = [...added.values()].map(({ siteId, visitorId }) => {
      return [siteId, visitorId, visitorId === null ? 0 : 1];
    });
    const columns = ['site_id', 'visitor_id', 'visitors'];
    const inserted = await sql.insert({ into: 'people', columns, rows, end: 'RETURNING person' });
    const persons = [...added.keys()];
    added.clear();
    return new Map(persons.map((person, at) => [person, Number(inserted[at]?.person)]));
  }

  return {
    load,
    /** The person of a key. One that is added has a number below 0 until it is written. */
    async findPerson(siteId: string, kind: AnyKey['kind'], key: string) {
      const { persons } = shelfOf(siteId, kind);
      if (!persons.has(key)) await load(siteId, [{ kind, key }]);
      return persons.get(key);
    },
    add(siteId: string, visitorId: string | null): number {
      lastAdded -= 1;
      added.set(lastAdded, { siteId, visitorId });
      return lastAdded;
    },
    put(siteId: string, kind: string, key: string, person: number): void {
      const { persons, changed } = shelfOf(siteId, kind);
      persons.set(key, person);
      changed.add(key);
    },
    /** Writes all changes. Returns what gives the number that a person has since then. */
    async write(): Promise<(person: number) => number> {
      const numbers = await insertAdded();
      const now = (person: number) => numbers.get(person) ?? person;
      const keys: SqlValue[][] = [];
      for (const [siteId, kind, { persons, changed }] of allShelves()) {
        for (const key of changed) {
          const person = now(persons.get(key) as number);
          persons.set(key, person);
          keys.push([siteId, kind, key, person]);
        }
        changed.clear();
      }
      await sql.insert({ ...KEYS, rows: keys });
      return now;
    },
    /** Follows the keys of a person that was joined to another one. */
    rename(gone: number, kept: number): void {
      for (const [, , { persons }] of allShelves()) {
        for (const [key, person] of persons) if (person === gone) persons.set(key, kept);
      }
    },
    /** Forgets what was read; all is written. */
    forget: () => sites.clear(),
  };
}

const PERSONS_OF = `SELECT key, person FROM person_keys
  WHERE site_id = ? AND kind = ? AND key IN (SELECT value FROM json_each(?))`;
const KEYS = {
  into: 'person_keys',
  columns: ['site_id', 'kind', 'key', 'person'],
  end: 'ON CONFLICT (site_id, kind, key) DO UPDATE SET person = excluded.person',
};

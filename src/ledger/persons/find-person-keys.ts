import { IMPROBABLE_VISITORS } from '#domain/identity/improbable-person.ts';
import type { PersonKeys } from '#domain/identity/person.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import { IN_NUMBERS } from '../schema/in-numbers.ts';
import { findIdentities } from './find-identities.ts';

/** The number of a visitor's person; 0 for a visitor without joins. */
export async function findPersonOf(sql: Sql, siteId: string, visitorId: string): Promise<number> {
  const row = await sql.get(
    "SELECT person FROM person_keys WHERE site_id = ? AND kind = 'visitor' AND key = ?",
    ...[siteId, visitorId],
  );
  return Number(row?.person ?? 0);
}

/** The keys of a person, and the transactions that follow it. */
export async function findKeys(sql: Sql, siteId: string, person: number) {
  const found = await sql.all(
    'SELECT kind, key FROM person_keys WHERE person = ? AND site_id = ?',
    ...[person, siteId],
  );
  return { keys: toKeys(found), following: keysOf(found, 'transaction') };
}

const keysOf = (found: readonly SqlRow[], kind: string) =>
  found.filter((row) => row.kind === kind).map((row) => String(row.key));

const toKeys = (found: readonly SqlRow[]): PersonKeys => ({
  visitors: keysOf(found, 'visitor'),
  users: keysOf(found, 'user'),
  customers: keysOf(found, 'customer'),
  emails: keysOf(found, 'email'),
});

/** Creates the directory on a ledger connection. Every lookup uses an index. */
export function createPersonDirectory(sql: Sql) {
  async function findPersonKeys(siteId: string, personIds: readonly string[]) {
    const numbers = personIds
      .filter((id) => id.startsWith('~'))
      .map((id) => Number(id.slice(1)))
      .filter(Number.isSafeInteger);
    const found = await sql.all(
      `SELECT asked.key AS id, known.kind, known.key
       FROM person_keys AS asked
         JOIN person_keys AS known ON known.person = asked.person AND known.site_id = asked.site_id
       WHERE asked.site_id = ? AND asked.kind = 'visitor'
         AND asked.key IN (SELECT value FROM json_each(?))
       UNION ALL SELECT '~' || person, kind, key FROM person_keys
       WHERE person ${IN_NUMBERS} AND site_id = ?`,
      ...[siteId, JSON.stringify(personIds), JSON.stringify(numbers), siteId],
    );
    const rowsById = Map.groupBy(found, ({ id }) => String(id));
    return new Map([...rowsById].map(([id, rows]) => [id, toKeys(rows)] as const));
  }

  return {
    findPersonKeys,
    async findLargePersons(siteId: string): Promise<readonly PersonKeys[]> {
      const large = await sql.all(
        `SELECT '~' || person AS id FROM people
         WHERE site_id = ? AND visitors >= ${IMPROBABLE_VISITORS} ORDER BY visitors DESC LIMIT 20`,
        siteId,
      );
      const ids = large.map(({ id }) => String(id));
      const keysById = await findPersonKeys(siteId, ids);
      return ids.flatMap((id) => keysById.get(id) ?? []);
    },
    findIdentities: (siteId: string, visitorIds: readonly string[]) =>
      findIdentities(sql, siteId, visitorIds),
    async findPayerNames(
      siteId: string,
      transactionIds: readonly string[],
    ): Promise<readonly string[]> {
      const names = await sql.all(
        `SELECT DISTINCT name FROM payments
         WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))
           AND name IS NOT NULL ORDER BY name`,
        ...[siteId, JSON.stringify(transactionIds)],
      );
      return names.map(({ name }) => String(name));
    },
  };
}

import { IMPROBABLE_VISITORS } from '#domain/identity/improbable-person.ts';
import type { PersonKeys } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';
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
  const ofKind = (kind: string) =>
    found.filter((row) => row.kind === kind).map((row) => String(row.key));
  const keys: PersonKeys = {
    visitors: ofKind('visitor'),
    users: ofKind('user'),
    customers: ofKind('customer'),
    emails: ofKind('email'),
  };
  return { keys, following: ofKind('transaction') };
}

/** Creates the directory on a ledger connection. Every lookup uses an index. */
export function createPersonDirectory(sql: Sql) {
  async function findPersonKeys(siteId: string, personId: string): Promise<PersonKeys> {
    const person = personId.startsWith('~')
      ? Number(personId.slice(1))
      : await findPersonOf(sql, siteId, personId);
    return (await findKeys(sql, siteId, person)).keys;
  }

  return {
    findPersonKeys,
    async findLargePersons(siteId: string): Promise<readonly PersonKeys[]> {
      const large = await sql.all(
        `SELECT '~' || person AS id FROM people
         WHERE site_id = ? AND visitors >= ${IMPROBABLE_VISITORS} ORDER BY visitors DESC LIMIT 20`,
        siteId,
      );
      return Promise.all(large.map(({ id }) => findPersonKeys(siteId, String(id))));
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

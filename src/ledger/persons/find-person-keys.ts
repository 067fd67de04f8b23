import { IMPROBABLE_VISITORS } from '#domain/identity/improbable-person.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** The keys of a person. All lists are empty for a visitor without joins. */
export type PersonKeys = {
  readonly visitors: readonly string[];
  readonly users: readonly string[];
  readonly customers: readonly string[];
  readonly emails: readonly string[];
};

/** An identity reported for a visitor. Missing values are empty; instants are in milliseconds. */
export type StatedIdentity = {
  readonly visitorId: string;
  readonly userId: string;
  readonly email: string;
  readonly firstAt: number;
  readonly lastAt: number;
};

/** Lookup of persons by their id in the warehouse. */
export interface PersonDirectory {
  findPersonKeys(siteId: string, personId: string): Promise<PersonKeys>;
  /** A few persons with improbably many visitors, the largest first. */
  findLargePersons(siteId: string): Promise<readonly PersonKeys[]>;
  /** Identities reported for these visitors, earliest first. */
  findIdentities(siteId: string, visitorIds: readonly string[]): Promise<readonly StatedIdentity[]>;
  /** Distinct payer names of these transactions. */
  findPayerNames(siteId: string, transactionIds: readonly string[]): Promise<readonly string[]>;
}

/** Creates the directory on a ledger connection. Every lookup uses an index. */
export function createPersonDirectory(sql: Sql): PersonDirectory {
  async function findPerson(siteId: string, personId: string): Promise<number> {
    if (personId.startsWith('~')) return Number(personId.slice(1));
    const row = await sql.get(
      "SELECT person FROM person_keys WHERE site_id = ? AND kind = 'visitor' AND key = ?",
      ...[siteId, personId],
    );
    return Number(row?.person ?? 0);
  }

  async function findPersonKeys(siteId: string, personId: string): Promise<PersonKeys> {
    const person = await findPerson(siteId, personId);
    const keys = await sql.all(
      'SELECT kind, key FROM person_keys WHERE person = ? AND site_id = ?',
      ...[person, siteId],
    );
    const ofKind = (kind: string) =>
      keys.filter((row) => row.kind === kind).map((row) => String(row.key));
    return {
      visitors: ofKind('visitor'),
      users: ofKind('user'),
      customers: ofKind('customer'),
      emails: ofKind('email'),
    };
  }

  return {
    findPersonKeys,
    async findLargePersons(siteId) {
      const large = await sql.all(
        `SELECT '~' || person AS id FROM people
         WHERE site_id = ? AND visitors >= ${IMPROBABLE_VISITORS} ORDER BY visitors DESC LIMIT 20`,
        siteId,
      );
      return Promise.all(large.map(({ id }) => findPersonKeys(siteId, String(id))));
    },
    findIdentities: (siteId, visitorIds) =>
      sql.all(
        `SELECT visitor_id AS "visitorId", user_id AS "userId", email, first_at AS "firstAt",
           last_at AS "lastAt"
         FROM identities
         WHERE site_id = ? AND visitor_id IN (SELECT value FROM json_each(?))
         ORDER BY first_at, id`,
        ...[siteId, JSON.stringify(visitorIds)],
      ) as Promise<unknown> as Promise<StatedIdentity[]>,
    async findPayerNames(siteId, transactionIds) {
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

import type { DatabaseSync } from 'node:sqlite';
import { IMPROBABLE_VISITORS } from '#domain/identity/improbable-person.ts';

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
  findPersonKeys(siteId: string, personId: string): PersonKeys;
  /** A few persons with improbably many visitors, the largest first. */
  findLargePersons(siteId: string): readonly PersonKeys[];
  /** Identities reported for these visitors, earliest first. */
  findIdentities(siteId: string, visitorIds: readonly string[]): readonly StatedIdentity[];
  /** Distinct payer names of these transactions. */
  findPayerNames(siteId: string, transactionIds: readonly string[]): readonly string[];
}

/** Creates the directory on a ledger connection. Every lookup uses an index. */
export function createPersonDirectory(db: DatabaseSync): PersonDirectory {
  const ofVisitor = db.prepare(
    "SELECT person FROM person_keys WHERE site_id = ? AND kind = 'visitor' AND key = ?",
  );
  const keysOf = db.prepare('SELECT kind, key FROM person_keys WHERE person = ? AND site_id = ?');
  const identities = db.prepare(`
    SELECT visitor_id AS visitorId, user_id AS userId, email, first_at AS firstAt, last_at AS lastAt
    FROM identities
    WHERE site_id = ? AND visitor_id IN (SELECT value FROM json_each(?)) ORDER BY first_at, id`);
  const names = db.prepare(`
    SELECT DISTINCT name FROM payments
    WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?)) AND name IS NOT NULL
    ORDER BY name`);

  const large = db.prepare(`
    SELECT '~' || person AS id FROM people
    WHERE site_id = ? AND visitors >= ${IMPROBABLE_VISITORS} ORDER BY visitors DESC LIMIT 20`);

  function findPersonKeys(siteId: string, personId: string): PersonKeys {
    const person = personId.startsWith('~')
      ? Number(personId.slice(1))
      : Number(ofVisitor.get(siteId, personId)?.person ?? 0);
    const keys = keysOf.all(person, siteId);
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
    findLargePersons: (siteId) =>
      large.all(siteId).map(({ id }) => findPersonKeys(siteId, String(id))),
    findIdentities: (siteId, visitorIds) =>
      identities.all(siteId, JSON.stringify(visitorIds)) as unknown as StatedIdentity[],
    findPayerNames: (siteId, transactionIds) =>
      names.all(siteId, JSON.stringify(transactionIds)).map((row) => String(row.name)),
  };
}

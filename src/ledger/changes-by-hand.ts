import type { KnownPerson } from '#domain/identity/known-person.ts';
import type { PersonKey, SubjectScope } from '#domain/identity/person.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import { createPaymentChanges } from './change-payment.ts';
import { findKnownPerson } from './erasure/find-known-person.ts';
import { createPersonRemaker } from './persons/remake-person.ts';
import { resolveAll } from './persons/resolve-persons.ts';

type ChangesOptions = { assertInPlace(): void; readonly now: () => number };

/** Creates the changes on a ledger connection. */
export function createChangesByHand(db: Database, options: ChangesOptions) {
  async function change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    options.assertInPlace();
    await resolveAll(db); // So that no pending fact is applied after the change.
    return db.transaction(work);
  }

  type Changes = ReturnType<typeof createPaymentChanges>;
  return {
    voidPayment: (...which: Parameters<Changes['voidPayment']>) =>
      change((sql) => createPaymentChanges(sql).voidPayment(...which)),
    correctVisitor: (...which: Parameters<Changes['correctVisitor']>) =>
      change((sql) => createPaymentChanges(sql).correctVisitor(...which)),
    /** Undoes the joins of a visitor. Returns the keys that no longer join it. */
    separateVisitor: (siteId: string, visitorId: string): Promise<readonly PersonKey[]> =>
      change((sql) => createPersonRemaker(sql).separate(siteId, visitorId, options.now())),
    /** Everything in the ledger about a visitor or its person. */
    async findKnownPerson(
      siteId: string,
      visitorId: string,
      scope: SubjectScope,
    ): Promise<KnownPerson> {
      if (scope === 'person') await resolveAll(db);
      return findKnownPerson(db, siteId, visitorId, scope);
    },
  };
}

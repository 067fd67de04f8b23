import type { Database, Sql } from '#storage/sql/sql.ts';
import { createPaymentChanges, type PaymentChanges } from './change-payment.ts';
import type { SubjectScope } from './erasure/erase-person.ts';
import { findKnownPerson, type KnownPerson } from './erasure/find-known-person.ts';
import type { PersonKey } from './persons/person-book.ts';
import { createPersonRemaker } from './persons/remake-person.ts';
import { resolveAll } from './persons/resolve-persons.ts';

/** Manual changes, and the lookup before them. Changes are durable when they resolve. */
export interface ChangesByHand extends PaymentChanges {
  /** Undoes the joins of a visitor. Returns the keys that no longer join it. */
  separateVisitor(siteId: string, visitorId: string): Promise<readonly PersonKey[]>;
  /** Everything in the ledger about a visitor or its person. */
  findKnownPerson(siteId: string, visitorId: string, scope: SubjectScope): Promise<KnownPerson>;
}

type ChangesOptions = {
  assertInPlace(): void;
  onRecorded?: (() => void) | undefined;
  readonly now: () => number;
};

/** Creates the changes on a ledger connection. */
export function createChangesByHand(db: Database, options: ChangesOptions): ChangesByHand {
  async function change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    options.assertInPlace();
    await resolveAll(db); // So that no pending fact is applied after the change.
    const answer = await db.transaction(work);
    options.onRecorded?.();
    return answer;
  }

  return {
    voidPayment: (...which) => change((sql) => createPaymentChanges(sql).voidPayment(...which)),
    correctVisitor: (...which) =>
      change((sql) => createPaymentChanges(sql).correctVisitor(...which)),
    separateVisitor: (...which) =>
      change((sql) => createPersonRemaker(sql).separate(...which, options.now())),
    async findKnownPerson(siteId, visitorId, scope) {
      if (scope === 'person') await resolveAll(db);
      return findKnownPerson(db, siteId, visitorId, scope);
    },
  };
}

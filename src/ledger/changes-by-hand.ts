import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '#storage/durable-database.ts';
import type { SubjectScope } from './erasure/erase-person.ts';
import { findKnownPerson, type KnownPerson } from './erasure/find-known-person.ts';
import { createPaymentChanges, type PaymentChanges } from './payments/change-payment.ts';
import type { PersonKey } from './persons/person-book.ts';
import { createPersonRemaker } from './persons/remake-person.ts';
import { createPersonResolver } from './persons/resolve-persons.ts';

/** Manual changes, and the lookup before them. Changes are durable on return. */
export interface ChangesByHand extends PaymentChanges {
  /** Undoes the joins of a visitor. Returns the keys that no longer join it. */
  separateVisitor(siteId: string, visitorId: string): readonly PersonKey[];
  /** Everything in the ledger about a visitor or its person. */
  findKnownPerson(siteId: string, visitorId: string, scope: SubjectScope): KnownPerson;
}

/** Options of manual changes. */
export type ChangesOptions = {
  assertInPlace(): void;
  onRecorded?: (() => void) | undefined;
  readonly now: () => number;
};

/** Creates the changes on a ledger connection. */
export function createChangesByHand(db: DatabaseSync, options: ChangesOptions): ChangesByHand {
  /** Resolves all pending facts, so that none of them is applied after the change. */
  function resolvePersons(): void {
    const resolver = createPersonResolver(db);
    while (resolver.resolveSome());
  }

  function change<T>(work: () => T): T {
    options.assertInPlace();
    resolvePersons();
    const answer = inTransaction(db, work);
    options.onRecorded?.();
    return answer;
  }

  return {
    voidPayment: (...which) => change(() => createPaymentChanges(db).voidPayment(...which)),
    correctVisitor: (...which) => change(() => createPaymentChanges(db).correctVisitor(...which)),
    separateVisitor: (...which) =>
      change(() => createPersonRemaker(db).separate(...which, options.now())),
    findKnownPerson(siteId, visitorId, scope) {
      if (scope === 'person') resolvePersons();
      return findKnownPerson(db, siteId, visitorId, scope);
    },
  };
}

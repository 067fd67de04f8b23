import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '#storage/durable-database.ts';
import type { SubjectScope } from './erasure/erase-person.ts';
import { findKnownPerson, type KnownPerson } from './erasure/find-known-person.ts';
import { createPaymentChanges, type PaymentChanges } from './payments/change-payment.ts';
import type { PersonKey } from './persons/person-book.ts';
import { createPersonRemaker } from './persons/remake-person.ts';
import { createPersonResolver } from './persons/resolve-persons.ts';

/** What somebody changes by hand, or looks at before. Durable when it returns. */
export interface ChangesByHand extends PaymentChanges {
  /** Undoes the joins of a visitor; returns the keys that join it no more. */
  separateVisitor(siteId: string, visitorId: string): readonly PersonKey[];
  /** All that the ledger has of a visitor, or of the person that it is. */
  findKnownPerson(siteId: string, visitorId: string, scope: SubjectScope): KnownPerson;
}

/** What the changes need: the ledger in its place, and who hears of news for the warehouse. */
export type ChangesOptions = {
  assertInPlace(): void;
  onRecorded?: (() => void) | undefined;
  readonly now: () => number;
};

/** The changes on a connection to the ledger. */
export function createChangesByHand(db: DatabaseSync, options: ChangesOptions): ChangesByHand {
  /** Takes in what is new at once: it must not come as news after the change. */
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

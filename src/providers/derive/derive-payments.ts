import { OPTIONAL_FACTS } from '#domain/money/payment-record.ts';
import type { ProvidedPayment, ProvidedRefund } from '#domain/money/provided-payment.ts';
import type { ProviderFact } from '../facts.ts';
import { deriveRefunds } from './derive-refunds.ts';
import { type Draft, toDrafts } from './drafts.ts';
import { createFindPayer, type FoundBy } from './find-payer.ts';
import { compare, groupFacts } from './group-facts.ts';

/** A payment that facts come to. */
export type DerivedPayment = {
  readonly payment: ProvidedPayment;
  /** Undefined if no event names a visitor: then e-mail address or customer may still find the person. */
  readonly foundBy: FoundBy | undefined;
};

/** The same money: everything it is called, its payments, and what is odd about it. */
export type DerivedGroup = {
  readonly ids: readonly string[];
  readonly payments: readonly DerivedPayment[];
  readonly notes: readonly string[];
};

/** What is known besides the facts themselves. */
export type DeriveContext = {
  readonly provider: string;
  /** Facts that name a visitor for a customer. */
  readonly ofCustomers: readonly ProviderFact[];
};

/**
 * The payments that facts come to. The facts are all that are known of their money and their subscriptions.
 *
 * - Why from all facts at once: the result depends on neither the order of the events nor their number.
 */
export function derivePayments(
  facts: readonly ProviderFact[],
  { provider, ofCustomers }: DeriveContext,
): DerivedGroup[] {
  const groups = groupFacts(facts);
  const findPayer = createFindPayer(facts, ofCustomers);
  const drafts = groups.map((group) => ({ group, payments: toDrafts(group) }));
  const firstCharges = findChargesAfterTrials(drafts.flatMap(({ payments }) => payments));

  return drafts.map(({ group, payments: own }) => {
    const back = deriveRefunds(group, own);
    const payments = own.map((draft, index) => {
      const { visitorId, foundBy } = findPayer(group, draft);
      const facts = OPTIONAL_FACTS.flatMap((name) => {
        const value = name === 'visitorId' ? visitorId : draft[name];
        return value === undefined ? [] : [[name, value] as const];
      });
      const payment: ProvidedPayment = {
        ...{ transactionId: draft.id, provider, ...Object.fromEntries(facts) },
        ...{ amountMinor: draft.amountMinor, currency: draft.currency, paidAt: draft.paidAt },
        renewal: draft.recurring && !firstCharges.has(draft.id),
        ...(back.payments[index] ?? { refunds: [] as ProvidedRefund[] }),
      };
      return { payment, foundBy };
    });
    return { ids: group.ids, payments, notes: back.notes };
  });
}

/** The ids of payments that are the first above 0 of a subscription that began with a trial. */
function findChargesAfterTrials(drafts: readonly Draft[]): Set<string> {
  const bySubscription = Map.groupBy(drafts, ({ subscriptionId }) => subscriptionId);
  bySubscription.delete(undefined);
  const firsts = [...bySubscription.values()].flatMap((own) => {
    const paid = own
      .filter(({ amountMinor }) => amountMinor !== undefined)
      .toSorted((a, b) => a.paidAt - b.paidAt || compare(a.id, b.id));
    const charge = paid.find(({ amountMinor }) => amountMinor !== 0n);
    return paid[0]?.amountMinor === 0n && charge !== undefined ? [charge.id] : [];
  });
  return new Set(firsts);
}

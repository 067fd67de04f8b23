import { OPTIONAL_FACTS } from '#domain/money/payment-record.ts';
import type { ProvidedPayment, ProvidedRefund } from '#domain/money/provided-payment.ts';
import type { ProviderFact } from '../facts.ts';
import { deriveRefunds } from './derive-refunds.ts';
import { type Draft, toDrafts } from './drafts.ts';
import { createFindPayer, type FindFirstPayer, type FoundBy } from './find-payer.ts';
import { createFindSite } from './find-site.ts';
import { compare, groupFacts } from './group-facts.ts';

type DerivedPayment = {
  readonly payment: ProvidedPayment;
  /** Undefined if no event names a visitor: then e-mail address or customer may still find the person. */
  readonly foundBy: FoundBy | undefined;
};

/** The same money: everything it is called, its payments, and what is odd about it. */
export type DerivedGroup = {
  readonly ids: readonly string[];
  readonly payments: readonly DerivedPayment[];
  readonly notes: readonly string[];
  /** What the gateways that took a shop's money call it. */
  readonly through: readonly string[];
  /** The site that was paid, if the shop names it. */
  readonly site: string | undefined;
};

type DeriveContext = {
  readonly provider: string;
  readonly findFirstPayer: FindFirstPayer;
};

/**
 * The payments that facts come to. The facts are all that are known of their money, and the first charges of
 * their subscriptions.
 *
 * - Why from all facts at once: the result depends on neither the order of the events nor their number.
 */
export function derivePayments(
  facts: readonly ProviderFact[],
  { provider, findFirstPayer }: DeriveContext,
): DerivedGroup[] {
  const groups = groupFacts(facts);
  const findPayer = createFindPayer(facts, findFirstPayer);
  const findSite = createFindSite(facts);
  const drafts = groups.map((group) => ({ group, payments: toDrafts(group) }));
  const firstCharges = findFirstCharges(drafts.flatMap(({ payments }) => payments));

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
        renewal: isRenewal(draft, firstCharges.get(draft.id)),
        ...(draft.providerRate !== undefined && { providerRate: draft.providerRate }),
        ...(back.payments[index] ?? { refunds: [] as ProvidedRefund[] }),
      };
      return { payment, foundBy };
    });
    const through = [...group.payments, ...group.links].flatMap((fact) => fact.through ?? []);
    const site = findSite(group, own[0]?.subscriptionId);
    return { ids: group.ids, payments, notes: back.notes, through, site };
  });
}

/** How the first payment above 0 of a subscription came about. */
type FirstCharge = 'after a trial' | 'at once';

/** The first payments above 0 of subscriptions, by their ids. */
function findFirstCharges(drafts: readonly Draft[]): Map<string, FirstCharge> {
  const bySubscription = Map.groupBy(drafts, ({ subscriptionId }) => subscriptionId);
  bySubscription.delete(undefined);
  const firsts = [...bySubscription.values()].flatMap((own) => {
    const paid = own
      .filter(({ amountMinor }) => amountMinor !== undefined)
      .toSorted((a, b) => a.paidAt - b.paidAt || compare(a.id, b.id));
    const charge = paid.find(({ amountMinor }) => amountMinor !== 0n);
    if (charge === undefined) return [];
    const how = charge === paid[0] ? ('at once' as const) : ('after a trial' as const);
    return [[charge.id, how] as const];
  });
  return new Map(firsts);
}

/** The first charge is no renewal after a trial, nor if its events do not say that it is one. */
function isRenewal({ recurring }: Draft, first: FirstCharge | undefined): boolean {
  if (recurring === 'unless_first') return first === undefined;
  return recurring && first !== 'after a trial';
}

import type { ProvidedPayment, ProvidedRefund } from '#domain/money/provided-payment.ts';
import type { DisputeFact, RefundFact } from '../facts.ts';
import type { Draft } from './drafts.ts';
import { compare, type MoneyGroup } from './group-facts.ts';

type GivenBack = Pick<ProvidedPayment, 'refunds' | 'refundedMinor' | 'refundedAt'>;

type DerivedRefunds = {
  readonly payments: readonly GivenBack[];
  readonly notes: readonly string[];
};

/** A refund or dispute from all facts about it. */
type GoneBack = ProvidedRefund & { readonly of: string; readonly currency: string | undefined };

/**
 * What refunds and disputes take back from the payments of a group: never more than was paid, refunds before disputes.
 */
export function deriveRefunds(group: MoneyGroup, drafts: readonly Draft[]): DerivedRefunds {
  const totals = group.refunds.filter(({ id, of }) => id === of);
  const refunds = group.refunds.filter(({ id, of }) => id !== of);
  const all = [
    ...mergeById(refunds, mergeRefund).toSorted(byTime),
    ...mergeById(group.disputes, mergeDispute).toSorted(byTime),
  ];
  const notes: string[] = [];
  const payments = drafts.map((draft, index) => {
    const isOwn = ({ of }: { readonly of: string }) =>
      draft.ids.includes(of) || (index === 0 && !drafts.some(({ ids }) => ids.includes(of)));
    return limitTo(draft, all.filter(isOwn), totals.filter(isOwn), notes);
  });
  return { payments, notes };
}

function mergeById<Fact extends { readonly id: string }>(
  facts: readonly Fact[],
  merge: (facts: readonly Fact[]) => GoneBack,
): GoneBack[] {
  return [...Map.groupBy(facts, ({ id }) => id).values()].map((of) => merge(of));
}

function mergeRefund(facts: readonly RefundFact[]): GoneBack {
  const [first] = facts.toSorted((a, b) => Number(b.amount.minor - a.amount.minor));
  const { id, of, amount } = first as RefundFact;
  return {
    ...{ transactionId: id, of, amountMinor: amount.minor, currency: amount.currency },
    refundedAt: Math.min(...facts.map(({ at }) => at)),
    isDispute: false,
    isWithdrawn: facts.some(({ state }) => state === 'undone'),
  };
}

/** Without an amount, the whole payment is disputed. A dispute that was won is over, whatever comes after. */
function mergeDispute(facts: readonly DisputeFact[]): GoneBack {
  const [first] = facts.toSorted((a, b) =>
    Number((b.amount?.minor ?? -1n) - (a.amount?.minor ?? -1n)),
  );
  const { id, of, amount } = first as DisputeFact;
  return {
    ...{ transactionId: id, of, amountMinor: amount?.minor ?? WHOLE, currency: amount?.currency },
    refundedAt: Math.min(...facts.map(({ at }) => at)),
    isDispute: true,
    isWithdrawn: facts.some(({ state }) => state === 'won'),
  };
}

/** More than any payment. */
const WHOLE = 2n ** 62n;

/** Gives a payment back at most once: its refunds first, then what only a total tells of, then disputes. */
function limitTo(
  draft: Draft,
  all: readonly GoneBack[],
  totals: readonly RefundFact[],
  notes: string[],
): GivenBack {
  let left = draft.amountMinor ?? WHOLE;
  const take = (asked: bigint) => {
    const taken = asked < left ? asked : left;
    left -= taken;
    return taken;
  };
  const limit = (own: readonly GoneBack[]) =>
    own.flatMap(({ of: _, currency, ...refund }): ProvidedRefund[] => {
      if (refund.isWithdrawn) return [{ ...refund, amountMinor: 0n }];
      const amountMinor = take(currency === draft.currency ? refund.amountMinor : WHOLE);
      return amountMinor > 0n && amountMinor < WHOLE ? [{ ...refund, amountMinor }] : [];
    });

  const [disputes, named] = [all.filter(isDispute), all.filter((each) => !isDispute(each))];
  const foreign = named.filter(({ currency }) => currency !== draft.currency);
  for (const { transactionId: id, currency } of foreign) {
    notes.push(`Refund ${id} is in ${currency}, its payment ${draft.id} in ${draft.currency}.`);
  }
  const own = named.filter((each) => !foreign.includes(each));
  const refunds = limit(own);
  if (sumOf(refunds) < sumOf(own.filter(({ isWithdrawn }) => !isWithdrawn))) {
    notes.push(`The refunds of payment ${draft.id} are larger than the payment.`);
  }
  const total = findTotal(totals, own);
  if (total === undefined) return { refunds: [...refunds, ...limit(disputes)] };
  const rest = total.amountMinor - sumOf(refunds);
  const unnamed = rest > 0n ? take(rest) : 0n;
  const disputed = limit(disputes);
  return {
    refunds: [...refunds, ...disputed],
    refundedMinor: sumOf(refunds) + unnamed + sumOf(disputed),
    refundedAt: total.at,
  };
}

/** The largest total that was stated, without refunds that failed since. */
function findTotal(totals: readonly RefundFact[], named: readonly GoneBack[]) {
  const [largest] = totals.toSorted(
    (a, b) => Number(b.amount.minor - a.amount.minor) || a.at - b.at,
  );
  const failed = sumOf(named.filter(({ isWithdrawn }) => isWithdrawn));
  return largest && { amountMinor: largest.amount.minor - failed, at: largest.at };
}

function sumOf(refunds: readonly { readonly amountMinor: bigint }[]): bigint {
  return refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

function isDispute(each: GoneBack): boolean {
  return each.isDispute;
}

function byTime(a: GoneBack, b: GoneBack): number {
  return a.refundedAt - b.refundedAt || compare(a.transactionId, b.transactionId);
}

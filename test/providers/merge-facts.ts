import assert from 'node:assert/strict';
import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import type {
  DisputeFact,
  LinkFact,
  PaymentFact,
  ProviderFact,
  RefundFact,
} from '#providers/facts.ts';

/** Ids that were said to be the same. */
class Groups {
  readonly #parents = new Map<string, string>();

  of(id: string): string {
    const parent = this.#parents.get(id);
    return parent === undefined ? id : this.of(parent);
  }

  join(ids: readonly string[]): void {
    const [first, ...others] = ids;
    for (const other of others) {
      if (first === undefined || this.of(first) === this.of(other)) continue;
      this.#parents.set(this.of(other), this.of(first));
    }
  }
}

/**
 * What facts say together, as one line for each payment: the reference that does without stores.
 *
 * - Shape: `49.00 EUR new, anna, refunded 10.00, dispute won`, sorted.
 * - Throws if two events state different amounts of the same money.
 */
export function mergeFacts(facts: readonly ProviderFact[]): string[] {
  const moneys = new Groups();
  const people = new Groups();
  const visitors = new Map<string, string>();
  const named = facts.filter((fact) => fact.fact === 'payment' || fact.fact === 'link');
  for (const fact of named) {
    const ids = idsOf(fact);
    moneys.join(ids);
    people.join([...ids.map((id) => `money ${id}`), ...keysOf(fact)]);
  }
  for (const fact of named) {
    const [first] = [...idsOf(fact).map((id) => `money ${id}`), ...keysOf(fact)];
    if (first && fact.visitorId) visitors.set(people.of(first), fact.visitorId);
  }
  const payments = facts.filter((fact) => fact.fact === 'payment');
  const refunds = facts.filter((fact) => fact.fact === 'refund');
  const disputes = facts.filter((fact) => fact.fact === 'dispute');
  const groups = Map.groupBy(payments, ({ id }) => moneys.of(id));
  const stated = [...groups].map(([id, same]) => ({
    ...oneOf(same),
    id,
    subscription: same.find(({ subscriptionId }) => subscriptionId)?.subscriptionId,
    visitor: visitors.get(people.of(`money ${id}`)),
  }));
  for (const { of } of [...refunds, ...disputes]) {
    assert.ok(groups.has(moneys.of(of)), `${of} was refunded or disputed, and is no payment`);
  }
  return stated
    .map((payment) => {
      const isOfIt = ({ of }: RefundFact | DisputeFact) => moneys.of(of) === payment.id;
      const back = refundedOf(refunds.filter(isOfIt), (id) => moneys.of(id) === payment.id);
      const others = stated.filter((each) => each.subscription === payment.subscription);
      const state = stateOf(disputes.filter(isOfIt));
      const currency = findCurrency(payment.amount.currency);
      assert.ok(currency);
      return [
        `${formatAmount(payment.amount.minor, currency)} ${currency.code} ${kindOf(payment, others)}`,
        payment.visitor ?? 'nobody',
        ...(back === 0n ? [] : [`refunded ${formatAmount(back, currency)}`]),
        ...(state === undefined ? [] : [`dispute ${state}`]),
      ].join(', ');
    })
    .toSorted();
}

function idsOf(fact: PaymentFact | LinkFact): readonly string[] {
  return fact.fact === 'payment' ? [fact.id, ...(fact.aliases ?? [])] : (fact.sameMoney ?? []);
}

function keysOf({ subscriptionId, orderId, customerId, email }: PaymentFact | LinkFact): string[] {
  return Object.entries({ subscriptionId, orderId, customerId, email }).flatMap(([name, id]) =>
    id === undefined ? [] : `${name} ${id}`,
  );
}

function oneOf(same: readonly PaymentFact[]) {
  const [first] = same;
  assert.ok(first);
  for (const each of same) assert.deepEqual(each.amount, first.amount);
  const recurring = [true, 'unless_first' as const].find((each) =>
    same.some((fact) => fact.recurring === each),
  );
  return {
    amount: first.amount,
    paidAt: Math.min(...same.map(({ paidAt }) => paidAt)),
    recurring: recurring ?? false,
  };
}

type Stated = ReturnType<typeof oneOf> & { readonly subscription: string | undefined };

/** The first charge after a trial is new money, and so is the first that nobody calls a renewal. */
function kindOf(payment: Stated, sameSubscription: readonly Stated[]): 'trial' | 'new' | 'renewal' {
  if (payment.amount.minor === 0n) return 'trial';
  if (payment.recurring === false) return 'new';
  const before =
    payment.subscription === undefined
      ? []
      : sameSubscription.filter(({ paidAt }) => paidAt < payment.paidAt);
  const hasPaid = before.some(({ amount }) => amount.minor > 0n);
  if (payment.recurring === 'unless_first') return hasPaid ? 'renewal' : 'new';
  return before.length > 0 && !hasPaid ? 'new' : 'renewal';
}

function refundedOf(refunds: readonly RefundFact[], isPayment: (id: string) => boolean): bigint {
  const undone = new Set(refunds.filter(({ state }) => state === 'undone').map(({ id }) => id));
  const byId = new Map(refunds.map((each) => [each.id, each.amount.minor]));
  let sum = 0n;
  let total = 0n;
  for (const { id, amount } of refunds) {
    if (isPayment(id) && amount.minor > total) total = amount.minor;
  }
  for (const [id, minor] of byId) {
    if (!isPayment(id) && !undone.has(id)) sum += minor;
  }
  return total > sum ? total : sum;
}

function stateOf(disputes: readonly DisputeFact[]): DisputeFact['state'] | undefined {
  const isFinal = ({ state }: DisputeFact) => state !== 'open';
  const inOrder = disputes.toSorted(
    (a, b) => Number(isFinal(a)) - Number(isFinal(b)) || a.at - b.at,
  );
  return inOrder.at(-1)?.state;
}

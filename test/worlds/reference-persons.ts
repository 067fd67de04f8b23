import type { PaymentReport } from '#domain/money/payment-record.ts';

/** A payment, as much of it as persons are known by. */
export type Paid = Partial<PaymentReport> & { readonly transactionId: string };
/** What identify said. */
export type Identified = {
  readonly visitorId: string;
  readonly userId?: string;
  readonly email?: string;
  /** Whether only a browser said it. */
  readonly isClaim?: boolean;
};

/** What is told of persons, or the moment at which it is taken in. */
export type Fact =
  | ({ readonly of: 'payment' } & Paid)
  | ({ readonly of: 'identity' } & Identified)
  | { readonly of: 'separation'; readonly visitorId: string }
  | { readonly of: 'resolving' };

/** Sets are merged until nothing changes; then each payment looks for its person. */
export function referencePersons(facts: readonly Fact[]): Map<string, number | undefined> {
  const groups = facts.flatMap((fact) => (isStated(fact) ? [leaveOut(keysOf(fact), facts)] : []));
  const setsByKey = new Map<string, number>();
  for (const [index, key] of groups.flat().entries()) setsByKey.set(key, index);
  for (let changed = true; changed; ) {
    changed = false;
    for (const group of groups) {
      const least = Math.min(...group.map((key) => setsByKey.get(key) ?? 0));
      for (const key of group) {
        changed ||= setsByKey.get(key) !== least;
        setsByKey.set(key, least);
      }
    }
  }
  const payments = facts.filter((fact) => fact.of === 'payment');
  const persons = new Map<string, number | undefined>();
  for (const [key, set] of setsByKey) if (key.startsWith('visitor ')) persons.set(key, set);
  for (const payment of payments) {
    const ofSubscription = payments
      .filter((other) => payment.subscriptionId && other.subscriptionId === payment.subscriptionId)
      .filter((other) => keysOf(other).length > 0)
      .toSorted((a, b) => rankOf(a) - rankOf(b) || byTime(a, b))[0];
    const chosen = payment.visitorId ? payment : (ofSubscription ?? payment);
    const [leader = ''] = keysOf(chosen);
    persons.set(`transaction ${payment.transactionId}`, setsByKey.get(leader));
  }
  return persons;
}

type Stated = Extract<Fact, { of: 'payment' | 'identity' }>;

/** What a browser claims joins nobody. */
function isStated(fact: Fact): fact is Stated {
  return fact.of === 'payment' || (fact.of === 'identity' && fact.isClaim !== true);
}

/** The keys without those that had joined their visitor when it was separated. */
function leaveOut(keys: readonly string[], facts: readonly Fact[]): string[] {
  const left = new Set<string>();
  for (const [index, fact] of facts.entries()) {
    if (fact.of !== 'separation' || keys[0] !== `visitor ${fact.visitorId}`) continue;
    const before = facts.slice(0, index).filter(isStated);
    for (const other of before) {
      if (keysOf(other)[0] !== keys[0]) continue;
      for (const key of keysOf(other).slice(1)) left.add(key);
    }
  }
  return keys.filter((key) => !left.has(key));
}

function keysOf(fact: Stated): string[] {
  const keys = [`visitor ${fact.visitorId ?? ''}`];
  if (fact.of === 'identity') keys.push(fact.userId === 'guest' ? ' ' : `user ${fact.userId}`);
  if (fact.of === 'payment')
    keys.push(fact.customerId === 'null' ? ' ' : `customer ${fact.customerId ?? ''}`);
  keys.push(`email ${fact.email ?? ''}`);
  return keys.filter((key) => !key.endsWith(' '));
}

function rankOf(payment: Extract<Fact, { of: 'payment' }>): number {
  const [leader = ''] = keysOf(payment);
  return ['visitor', 'customer', 'email'].indexOf(leader.split(' ')[0] ?? '');
}

function byTime(a: Paid, b: Paid): number {
  if (a.paidAt !== b.paidAt) return (a.paidAt ?? 0) - (b.paidAt ?? 0);
  return a.transactionId < b.transactionId ? -1 : 1;
}

import type { DisputeFact, LinkFact, PaymentFact, ProviderFact, RefundFact } from '../facts.ts';
import { moneyOf, twinKeyOf } from './fact-ids.ts';

/** All facts about the same money. */
export type MoneyGroup = {
  /** Everything that it is called, in the order of the alphabet. */
  readonly ids: readonly string[];
  readonly payments: readonly PaymentFact[];
  readonly links: readonly LinkFact[];
  readonly refunds: readonly RefundFact[];
  readonly disputes: readonly DisputeFact[];
};

/** How far a bill's time may be from that of the money which paid it: a provider charges right when it bills. */
const TWINS_WITHIN_MS = 60 * 60 * 1_000;

/** Groups facts by the money that they are about: by their ids, then bills with the money that paid them. */
export function groupFacts(facts: readonly ProviderFact[]): MoneyGroup[] {
  const leaders = new Map<string, string>();
  const find = (id: string): string => {
    const leader = leaders.get(id) ?? id;
    return leader === id ? id : find(leader);
  };
  const unite = (a: string, b: string) => {
    const [first, second] = [find(a), find(b)].toSorted();
    if (first !== second) leaders.set(second as string, first as string);
  };
  for (const fact of facts) {
    const [first, ...others] = moneyOf(fact);
    if (first === undefined) continue;
    if (!leaders.has(first)) leaders.set(first, first);
    for (const other of others) {
      if (!leaders.has(other)) leaders.set(other, other);
      unite(first, other);
    }
  }
  const group = () => {
    const ids = Map.groupBy(leaders.keys(), find);
    const about = Map.groupBy(facts, (fact) => find(moneyOf(fact)[0] ?? ''));
    return [...ids].map(([leader, all]) => toGroup(all.toSorted(), about.get(leader) ?? []));
  };
  for (const [bill, money] of findTwins(group())) unite(bill, money);
  return group().toSorted((a, b) => compare(a.ids[0] ?? '', b.ids[0] ?? ''));
}

function toGroup(ids: readonly string[], facts: readonly ProviderFact[]): MoneyGroup {
  const of = <Kind extends ProviderFact['fact']>(kind: Kind) =>
    facts.filter((fact): fact is Extract<ProviderFact, { fact: Kind }> => fact.fact === kind);
  const [payments, links] = [of('payment'), of('link')];
  return { ids, payments, links, refunds: of('refund'), disputes: of('dispute') };
}

/** Pairs of a bill and the money that paid it, by one of their ids, the nearest in time first. */
function findTwins(groups: readonly MoneyGroup[]): (readonly [string, string])[] {
  const ofKind = (kind: 'bill' | 'money') =>
    groups.filter(
      ({ payments }) => payments.length > 0 && payments.every(({ twin }) => twin === kind),
    );
  const moneyByKey = new Map<string, MoneyGroup[]>();
  for (const money of ofKind('money')) {
    for (const key of twinKeysOf(money))
      moneyByKey.set(key, [...(moneyByKey.get(key) ?? []), money]);
  }
  const pairs = ofKind('bill').flatMap((bill) =>
    [...twinKeysOf(bill)]
      .flatMap((key) => moneyByKey.get(key) ?? [])
      .map((money) => ({
        ids: [bill.ids[0] ?? '', money.ids[0] ?? ''] as const,
        distanceMs: Math.abs(paidAtOf(bill) - paidAtOf(money)),
      })),
  );
  const near = pairs
    .filter(({ distanceMs }) => distanceMs <= TWINS_WITHIN_MS)
    .toSorted((a, b) => a.distanceMs - b.distanceMs || compare(`${a.ids}`, `${b.ids}`));
  const taken = new Set<string>();
  return near.flatMap(({ ids }) => {
    if (ids.some((id) => taken.has(id))) return [];
    for (const id of ids) taken.add(id);
    return [ids];
  });
}

function twinKeysOf({ payments }: MoneyGroup): Set<string> {
  return new Set(payments.map(twinKeyOf).filter((key) => key !== undefined));
}

function paidAtOf({ payments }: MoneyGroup): number {
  return Math.min(...payments.map(({ paidAt }) => paidAt));
}

/** Orders texts by their characters, as databases do. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

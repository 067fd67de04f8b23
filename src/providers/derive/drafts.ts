import { OPTIONAL_FACTS } from '#domain/money/payment-record.ts';
import type { LinkFact, PaymentFact } from '../facts.ts';
import { compare, type MoneyGroup } from './group-facts.ts';

/** A fact that may say who pays. */
export type PayerFact = PaymentFact | LinkFact;

/** A payment before its renewal, visitor and refunds are known. */
export type Draft = {
  readonly id: string;
  readonly ids: readonly string[];
  /** Undefined if only refunds are known. */
  readonly amountMinor: bigint | undefined;
  readonly currency: string;
  readonly paidAt: number;
  readonly recurring: PaymentFact['recurring'];
  readonly orderId: string | undefined;
  readonly providerRate: string | undefined;
} & { readonly [Name in (typeof OPTIONAL_FACTS)[number]]: string | undefined };

/** The payments of a group. Most often, it is one. A bill that was paid in parts has several. */
export function toDrafts(group: MoneyGroup): Draft[] {
  const { payments } = group;
  const money = payments.filter(({ twin }) => twin === 'money');
  const known = money.length > 0 ? money : preferNamed(payments);
  const byId = Map.groupBy(known, ({ id }) => id);
  const drafts = [...byId].toSorted(([a], [b]) => compare(a, b));
  if (drafts.length > 0) return drafts.map(([id, own]) => toDraft(id, own, group));
  const [first] = [...group.refunds, ...group.disputes].toSorted((a, b) => compare(a.of, b.of));
  return first?.amount === undefined ? [] : [toUnknown(group, first.of, first.amount.currency)];
}

/** The facts under one id: a fact that stands for money itself before a bill, then the smallest id. */
function preferNamed(payments: readonly PaymentFact[]): PaymentFact[] {
  const named = payments.filter(({ twin }) => twin === undefined);
  const known = named.length > 0 ? named : payments;
  const id = known.map((fact) => fact.id).toSorted(compare)[0];
  return known.filter((fact) => fact.id === id);
}

function toDraft(id: string, own: readonly PaymentFact[], group: MoneyGroup): Draft {
  const [largest = own[0]] = own.toSorted((a, b) => (a.amount.minor < b.amount.minor ? 1 : -1));
  const sayings: PayerFact[] = [...own, ...group.payments, ...group.links];
  const first = (pick: (fact: PayerFact) => string | undefined) =>
    leastOf(own.map(pick)) ?? leastOf(sayings.map(pick));
  return {
    id,
    ids: [...new Set(own.flatMap((fact) => [fact.id, ...(fact.aliases ?? [])]))],
    amountMinor: largest?.amount.minor,
    currency: largest?.amount.currency ?? '',
    paidAt: Math.min(...own.map(({ paidAt }) => paidAt)),
    recurring: mostRecurring(group.payments),
    subscriptionId: first((fact) => fact.subscriptionId),
    orderId: first((fact) => fact.orderId),
    visitorId: first((fact) => fact.visitorId),
    customerId: first((fact) => fact.customerId),
    email: first((fact) => fact.email),
    name: first((fact) => fact.name),
    product: first((fact) => (fact.fact === 'payment' ? fact.product : undefined)),
    providerRate: leastOf(own.map(({ rate }) => rate && `${rate.to} ${rate.rate}`)),
  };
}

/** What counts of several events: that it is a renewal, then that it may be one. */
function mostRecurring(payments: readonly PaymentFact[]): PaymentFact['recurring'] {
  const isStated = (asked: PaymentFact['recurring']) =>
    payments.some(({ recurring }) => recurring === asked);
  return ([true, 'unless_first'] as const).find(isStated) ?? false;
}

/** A payment from before the connection, of which only refunds are known. */
function toUnknown(group: MoneyGroup, id: string, currency: string): Draft {
  const facts = Object.fromEntries(OPTIONAL_FACTS.map((name) => [name, undefined]));
  return {
    ...(facts as Pick<Draft, (typeof OPTIONAL_FACTS)[number]>),
    ...{ id, ids: group.ids, currency, amountMinor: undefined },
    ...{ paidAt: 0, recurring: false, orderId: undefined, providerRate: undefined },
  };
}

/** The first of the texts that are there, in the order of the alphabet. */
export function leastOf(values: readonly (string | undefined)[]): string | undefined {
  return values.filter((value) => value !== undefined).toSorted(compare)[0];
}

import type { ProvidedPayment } from '#domain/money/provided-payment.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import type { LinkFact, PaymentFact, ProviderFact } from '../facts.ts';

/**
 * The ids by which a fact belongs together with others. Those of money, orders and twins lead on, to all facts that have
 * them. Customers and subscriptions do not: they may have any number of payments, which need not be looked at together.
 */
export function factIdsOf(fact: ProviderFact): string[] {
  switch (fact.fact) {
    case 'payment':
      return [...moneyOf(fact).map(toMoneyId), ...twinIdsOf(fact), ...otherIdsOf(fact)];
    case 'link':
      return [...moneyOf(fact).map(toMoneyId), ...otherIdsOf(fact)];
    case 'refund':
    case 'dispute':
      return [toMoneyId(fact.of)];
  }
}

/** The id whose events have to be looked at together with those of an id: its own, or that of its twins. */
export function toLead(id: string): string | undefined {
  if (id.startsWith('twin money ')) return id.replace('money', 'bill');
  if (id.startsWith('twin bill ')) return id.replace('bill', 'money');
  return /^(money|order) /.test(id) ? id : undefined;
}

/** The ids of the money that a fact is about. They are all the same money. */
export function moneyOf(fact: ProviderFact): readonly string[] {
  if (fact.fact === 'refund' || fact.fact === 'dispute') return [fact.of];
  const through = fact.through === undefined ? [] : [fact.through];
  if (fact.fact === 'link') return [...(fact.sameMoney ?? []), ...through];
  return [fact.id, ...(fact.aliases ?? []), ...through];
}

/** The id under which a shop's facts are found by what their gateway calls the money. */
export function toThroughId(id: string): string {
  return `through ${id}`;
}

/** Under which a bill and the money that paid it look for each other. */
export function twinKeyOf({ twin, customerId, amount }: PaymentFact): string | undefined {
  if (twin === undefined || customerId === undefined) return undefined;
  return `${customerId} ${amount.minor} ${amount.currency}`;
}

/** Those who may have any number of payments. */
export type Holder = 'customer' | 'subscription';

/** What the ids of a holder's facts that name a visitor begin with: in their order, the visitor named first is first. */
export function toPayerSeries(holder: Holder, id: string): string {
  return `payer ${holder} ${JSON.stringify(id)}`;
}

/** What the ids of a subscription's charges begin with, and those of its trials: in their order, the first is first. */
export function toChargeSeries(subscriptionId: string): readonly [charges: string, trials: string] {
  const quoted = JSON.stringify(subscriptionId);
  return [`charge ${quoted}`, `trial ${quoted}`];
}

/** The id of a payment in the series of its subscription. */
export function toChargeIds(payment: ProvidedPayment): string[] {
  const { transactionId, subscriptionId, amountMinor, paidAt } = payment;
  if (subscriptionId === undefined || amountMinor === undefined) return [];
  const [charges, trials] = toChargeSeries(subscriptionId);
  return [`${amountMinor > 0n ? charges : trials} ${toOrdered(paidAt)} ${transactionId}`];
}

/** The payment in an id of a series of charges. */
export function readCharge(series: string, id: string): string {
  return id.slice(`${series} ${toOrdered(0)} `.length);
}

/** The ids of the holders that ids name. */
export function findHolders(ids: readonly string[]): (readonly [Holder, id: string])[] {
  return [...new Set(ids)].flatMap((id) => {
    const [, holder, own = ''] = /^(customer|subscription) (.+)$/s.exec(id) ?? [];
    return holder === undefined ? [] : [[holder as Holder, own] as const];
  });
}

/** The visitor in an id of a series of payers. */
export function readPayer(id: string): string {
  return id.slice(id.lastIndexOf(' ') + 1);
}

/** The id under which facts about money are found. */
export function toMoneyId(id: string): string {
  return `money ${id}`;
}

/** Each hour has an id of its own, so that a customer who often pays the same is not looked at as a whole. */
function twinIdsOf(fact: PaymentFact): string[] {
  const key = twinKeyOf(fact);
  if (key === undefined) return [];
  const hour = Math.floor(fact.paidAt / HOUR_MS);
  const hours = fact.twin === 'bill' ? [hour - 1, hour, hour + 1] : [hour];
  return hours.map((each) => `twin ${fact.twin} ${key} ${each}`);
}

function otherIdsOf(fact: PaymentFact | LinkFact): string[] {
  const { subscriptionId, orderId, customerId, visitorId, through } = fact;
  const ids = [];
  if (subscriptionId !== undefined) ids.push(`subscription ${subscriptionId}`);
  if (orderId !== undefined) ids.push(`order ${orderId}`);
  if (customerId !== undefined) ids.push(`customer ${customerId}`);
  if (visitorId !== undefined) ids.push(`visitor ${visitorId}`);
  if (through !== undefined) ids.push(toThroughId(through));
  if (visitorId === undefined) return ids;
  const named = `${toOrdered(fact.fact === 'payment' ? fact.paidAt : 0)} ${visitorId}`;
  const payers = findHolders(ids).map(([holder, id]) => `${toPayerSeries(holder, id)} ${named}`);
  return [...ids, ...payers];
}

/** A time as text, in whose order times are. */
function toOrdered(at: number): string {
  return String(at).padStart(15, '0');
}

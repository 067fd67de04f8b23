import { processorDecimals, readMinor } from '../amounts.ts';
import type { FactAmount, Payer, PaymentFact, ProviderFact, Translation } from '../facts.ts';
import { type JsonObject, type JsonValue, textAt } from '../json.ts';
import { findVisitorId } from '../visitor-id.ts';

/** An event's object, and when the event was made. */
export type Happened = { readonly object: JsonObject; readonly at: number };

/** Translates the events of one type. */
export type Translate = (event: Happened) => Translation;

/** A payment, whose time may be missing. */
export type Stated = Omit<PaymentFact, 'fact' | 'paidAt'> & { readonly paidAt: number | undefined };

/** A payment, with what the object says of its payer unless it is stated. */
export function payment(object: JsonObject, { paidAt, ...stated }: Stated): PaymentFact {
  return { fact: 'payment', ...payerOf(object), ...defined(stated), paidAt: paidAt ?? 0 };
}

/** What an object says of its payer. */
export function payerOf(object: JsonObject): Payer {
  return { customerId: idAt(object, 'customer'), visitorId: findVisitorId(object.metadata) };
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** The id of another object, which may be expanded. */
export function idAt(value: JsonValue | undefined, ...path: readonly string[]): string | undefined {
  return textAt(value, ...path) ?? textAt(value, ...path, 'id');
}

/** The ids that are there, each once. */
export function idsOf(...ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** A time in milliseconds, from one in seconds. */
export function timeAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): number | undefined {
  const seconds = textAt(value, ...path);
  return seconds !== undefined && /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

/** The amount in the first of the fields that the object has, in its currency. */
export function amountAt(object: JsonObject, ...names: readonly string[]): FactAmount | undefined {
  const name = names.find((each) => textAt(object, each) !== undefined) ?? '';
  const read = readMinor(object[name], textAt(object, 'currency'), processorDecimals);
  return read.ok ? read.value : undefined;
}

/** What is wrong with the first amount of an object that cannot be one. */
export function findAmountFault(object: JsonObject): string | undefined {
  const amounts = Object.keys(object).filter((name) => /^amount(?:_|$)/.test(name));
  return amounts
    .map((name) => readMinor(object[name], textAt(object, 'currency'), processorDecimals))
    .map((read) => (read.ok ? undefined : read.error))
    .find((fault) => fault !== undefined);
}

/** A translation to facts. */
export function facts(...stated: readonly ProviderFact[]): Translation {
  return { kind: 'facts', facts: stated };
}

/** A translation of an event that states nothing, with the reason. */
export function ignored(why: string): Translation {
  return { kind: 'ignored', why };
}

/** A translation of an event that is not as documented. */
export function failed(why: string): Translation {
  return { kind: 'failed', why: `It is not as Stripe documents it: ${why}.` };
}

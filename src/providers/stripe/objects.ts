import { type AmountRead, processorDecimals, readMinor } from '../amounts.ts';
import type { Payer } from '../facts.ts';
import { type JsonObject, type JsonValue, textAt } from '../json.ts';
import { findAttached } from '../visitor-id.ts';

/** What an object says of its payer. */
export function payerOf(object: JsonObject): Payer {
  return { customerId: idAt(object, 'customer'), ...findAttached(object.metadata) };
}

/** The id of another object, which may be expanded. */
export function idAt(value: JsonValue | undefined, ...path: readonly string[]): string | undefined {
  return textAt(value, ...path) ?? textAt(value, ...path, 'id');
}

/** The money that an object names: a PaymentIntent, or a charge without one. */
export function chargeIdOf(object: JsonObject | undefined): string | undefined {
  return idAt(object, 'payment_intent') ?? idAt(object, 'charge');
}

/** The amount in the first of the fields that the object has, in its currency. */
export function minorOf(object: JsonObject | undefined, ...names: readonly string[]): AmountRead {
  const name = names.find((each) => textAt(object, each) !== undefined) ?? '';
  return readMinor(object?.[name], textAt(object, 'currency'), processorDecimals);
}

import { processorDecimals, readMinor } from '../amounts.ts';
import type { Translation } from '../facts.ts';
import { type JsonObject, type JsonValue, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import {
  failed,
  ignored,
  REFUND_STATES,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readIso } from '../times.ts';
import { type Attached, findAttached, toVisitorId } from '../visitor-id.ts';

/** What an event of Polar states. Amounts are whole minor units, and refunds are stated without their tax. */
export function translatePolar({ type, body }: ProviderEvent): Translation {
  const data = objectAt(body, 'data');
  if (data === undefined) return failed('It has no data.');
  if (type === 'order.paid') return translatePaid(data);
  if (type === 'order.refunded') return translateTotal(data);
  if (type === 'refund.created' || type === 'refund.updated') return translateRefund(data);
  if (type.startsWith('subscription.')) return translateSubscription(data);
  if (type.startsWith('checkout.')) return translateCheckout(data);
  if (type.startsWith('order.')) return ignored('A payment counts once it is paid.');
  return OTHERS.test(type) ? ignored('It is about neither money nor payers.') : { kind: 'unknown' };
}

/** A paid order. */
export function translatePaid(data: JsonObject): Translation {
  const reason = textAt(data, 'billing_reason');
  const amount = minorOf(data.total_amount, data);
  const subscription = objectAt(data, 'subscription');
  // Free plans begin with an order of 0 as well. Older events do not say which it is.
  const hasTrial = subscription === undefined || textAt(subscription, 'trial_end') !== undefined;
  const isTrial = reason === 'subscription_create' && hasTrial;
  if (amount.ok && amount.value.minor === 0n && !isTrial) return ignored('Nothing was charged.');
  return statePayment({
    id: textAt(data, 'id'),
    aliases: [textAt(data, 'checkout_id')],
    amount,
    paidAt: readIso(data.created_at),
    recurring: reason?.startsWith('subscription_cycle') === true,
    subscriptionId: textAt(data, 'subscription_id'),
    product: textAt(data, 'product', 'name') ?? textAt(data, 'description'),
    ...payerOf(data),
  });
}

/** A refund that went through or failed. */
export function translateRefund(data: JsonObject): Translation {
  const state = REFUND_STATES.get(textAt(data, 'status') ?? '');
  if (state === undefined) return ignored('The refund is not made yet.');
  return stateRefund({
    id: textAt(data, 'id'),
    of: textAt(data, 'order_id'),
    amount: minorOf(plus(data.amount, data.tax_amount), data),
    at: readIso(data.created_at),
    state,
  });
}

/** A dispute, which Polar tells in its list only. */
export function translateDispute(data: JsonObject): Translation {
  const status = textAt(data, 'status');
  if (status === 'prevented' || status === 'early_warning') return ignored('It moves no money.');
  return stateDispute({
    id: textAt(data, 'id'),
    of: textAt(data, 'order_id'),
    amount: minorOf(plus(data.amount, data.tax_amount), data),
    at: readIso(data.modified_at) ?? readIso(data.created_at),
    state: status === 'won' || status === 'lost' ? status : 'open',
  });
}

/** All that was given back of an order so far. */
function translateTotal(data: JsonObject): Translation {
  const id = textAt(data, 'id');
  return stateRefund({
    ...{ id, of: id, state: 'done' },
    amount: minorOf(plus(data.refunded_amount, data.refunded_tax_amount), data),
    at: readIso(data.modified_at) ?? readIso(data.created_at),
  });
}

/** A subscription and whose it is. */
export function translateSubscription(data: JsonObject): Translation {
  return stateLink({
    sameMoney: [textAt(data, 'checkout_id')],
    subscriptionId: textAt(data, 'id'),
    ...payerOf(data),
  });
}

function translateCheckout(data: JsonObject): Translation {
  return stateLink({
    sameMoney: [textAt(data, 'id')],
    ...attachedOf(data),
    customerId: textAt(data, 'customer_id'),
    email: textAt(data, 'customer_email'),
  });
}

function payerOf(data: JsonObject) {
  return {
    ...attachedOf(data),
    customerId: textAt(data, 'customer_id'),
    email: textAt(data, 'customer', 'email'),
    name: textAt(data, 'customer', 'name'),
  };
}

/** `reference_id` is what a checkout link can carry in its query. */
function attachedOf({ metadata }: JsonObject): Attached {
  const found = findAttached(metadata);
  const visitorId = found.visitorId ?? toVisitorId(textAt(metadata, 'reference_id'));
  return { ...found, visitorId };
}

function minorOf(value: JsonValue | undefined, data: JsonObject) {
  return readMinor(value, textAt(data, 'currency'), processorDecimals);
}

/** Money and its tax. Anything but two whole numbers stays what it is, and fails as an amount. */
function plus(net: JsonValue | undefined, tax: JsonValue | undefined): JsonValue | undefined {
  if (tax === undefined || tax === null) return net;
  const isWhole = [net, tax].every((each) => /^\d{1,30}$/.test(String(each)));
  return isWhole ? String(BigInt(String(net)) + BigInt(String(tax))) : net;
}

const OTHERS = /^(?:benefit|benefit_grant|customer|customer_seat|member|organization|product)\./;

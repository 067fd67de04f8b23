import { hundredths, readMinor } from '../amounts.ts';
import type { Translation } from '../facts.ts';
import { type JsonObject, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { readRate } from '../rates.ts';
import { failed, ignored, join, stateLink, statePayment, stateRefund } from '../state-facts.ts';
import { readIso } from '../times.ts';
import { type Attached, findAttached } from '../visitor-id.ts';

/** What an event of Lemon Squeezy states. Amounts are hundredths; of refunds it states the total so far. */
export function translateLemonSqueezy({ type, body }: ProviderEvent): Translation {
  const data = objectAt(body, 'data');
  if (data === undefined) return failed('It has no data.');
  const attached = findAttached(objectAt(body, 'meta')?.custom_data);
  switch (textAt(data, 'type')) {
    case 'orders':
      return translateBasket(data, attached);
    case 'subscription-invoices':
      return translateInvoice(data, attached);
    case 'subscriptions':
      return translateSubscription(data, attached, type === 'subscription_created');
    default:
      return OTHERS.test(type)
        ? ignored('It is about neither money nor payers.')
        : { kind: 'unknown' };
  }
}

/** An order: the money of a one-off sale, or of the first charge of a subscription. */
export function translateBasket(data: JsonObject, attached: Attached = {}): Translation {
  const attributes = objectAt(data, 'attributes');
  if (attributes === undefined) return failed('It has no attributes.');
  const id = textAt(data, 'id');
  if (!PAID.has(textAt(attributes, 'status') ?? '')) return ignored('It is not paid.');
  const amount = centsOf(attributes, 'total');
  if (amount.ok && amount.value.minor === 0n) {
    // A trial is told by its subscription. A gift is no payment.
    return stateLink({ sameMoney: [id], orderId: id, ...payerOf(attributes, attached) });
  }
  const payment = statePayment({
    id,
    aliases: [textAt(attributes, 'identifier')],
    amount,
    paidAt: readIso(attributes.created_at),
    recurring: false,
    orderId: id,
    product: textAt(attributes, 'first_order_item', 'product_name'),
    rate: readRate(amount, 'USD', attributes.currency_rate),
    ...payerOf(attributes, attached),
  });
  return join(payment, translateTotal(id, attributes));
}

/** An invoice of a subscription. The first is the same money as the order. */
export function translateInvoice(data: JsonObject, attached: Attached = {}): Translation {
  const attributes = objectAt(data, 'attributes');
  if (attributes === undefined) return failed('It has no attributes.');
  if (!PAID.has(textAt(attributes, 'status') ?? '')) return ignored('It is not paid.');
  const id = invoiceIdOf(textAt(data, 'id'));
  const subscriptionId = textAt(attributes, 'subscription_id');
  const reason = textAt(attributes, 'billing_reason');
  const amount = centsOf(attributes, 'total');
  if (amount.ok && amount.value.minor === 0n) return ignored('Nothing was charged.');
  const payment = statePayment({
    id,
    aliases: reason === 'initial' ? [firstOf(subscriptionId)] : [],
    amount,
    paidAt: readIso(attributes.created_at),
    recurring: reason === 'renewal',
    subscriptionId,
    rate: readRate(amount, 'USD', attributes.currency_rate),
    ...payerOf(attributes, attached),
  });
  return join(payment, translateTotal(id, attributes));
}

/** A subscription: which order began it, and its trial if it begins with one. */
export function translateSubscription(
  data: JsonObject,
  attached: Attached = {},
  isNew = false,
): Translation {
  const attributes = objectAt(data, 'attributes');
  if (attributes === undefined) return failed('It has no attributes.');
  const subscriptionId = textAt(data, 'id');
  const basket = textAt(attributes, 'order_id');
  const payer = payerOf(attributes, attached);
  const began = textAt(attributes, 'trial_ends_at') === undefined;
  const sameMoney = began ? [basket, firstOf(subscriptionId)] : [];
  const link = stateLink({ sameMoney, subscriptionId, orderId: basket, ...payer });
  if (!isNew || textAt(attributes, 'status') !== 'on_trial') return link;
  const trial = statePayment({
    id: subscriptionId && `trial-${subscriptionId}`,
    // A subscription names no currency, and nothing is nothing in any.
    amount: readMinor(0, 'USD'),
    paidAt: readIso(attributes.created_at),
    recurring: false,
    subscriptionId,
    product: textAt(attributes, 'product_name'),
    ...payer,
  });
  return join(trial, link);
}

/** Money that came in, even if it went back later. */
const PAID = new Set(['paid', 'refunded', 'partial_refund']);

/** All that was given back of an order or invoice so far, if anything was. */
function translateTotal(id: string | undefined, attributes: JsonObject): Translation {
  const stated = centsOf(attributes, 'refunded_amount');
  const isRefunded = attributes.refunded === true;
  const amount = isRefunded && !stated.ok ? centsOf(attributes, 'total') : stated;
  if (!amount.ok || amount.value.minor === 0n) return ignored('Nothing was given back.');
  const at = readIso(attributes.refunded_at) ?? readIso(attributes.updated_at);
  return stateRefund({ id, of: id, amount, at, state: 'done' });
}

/** Orders and invoices are numbered each for themselves. */
function invoiceIdOf(id: string | undefined): string | undefined {
  return id && `invoice-${id}`;
}

function firstOf(subscriptionId: string | undefined): string | undefined {
  return subscriptionId && `first-${subscriptionId}`;
}

function payerOf(attributes: JsonObject, attached: Attached) {
  return {
    ...attached,
    customerId: textAt(attributes, 'customer_id'),
    email: textAt(attributes, 'user_email'),
    name: textAt(attributes, 'user_name'),
  };
}

function centsOf(attributes: JsonObject, name: string) {
  return readMinor(attributes[name], textAt(attributes, 'currency'), hundredths);
}

const OTHERS = /^(?:affiliate|customer|license_key)_/;

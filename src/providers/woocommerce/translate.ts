import { readMajor, readMinor, withoutMinus } from '../amounts.ts';
import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { failed, ignored, join, stateLink, statePayment, stateRefund } from '../state-facts.ts';
import { readIso } from '../times.ts';
import { findAttached } from '../visitor-id.ts';

/** What an event of WooCommerce states. Amounts are decimal texts; the money is the order. */
export function translateWooCommerce({ type, body }: ProviderEvent): Translation {
  if (type === 'order.created' || type === 'order.updated') return translateBasket(body);
  if (type.startsWith('subscription.')) return translateSubscription(body);
  return OTHERS.test(type) ? ignored('It moves no money.') : { kind: 'unknown' };
}

/** Orders whose money came in, even if it went back later. */
const PAID = new Set(['processing', 'completed', 'refunded']);

/** An order: its payment and its refunds so far. */
export function translateBasket(basket: JsonObject): Translation {
  const paidAt = readIso(basket.date_paid_gmt);
  if (!PAID.has(textAt(basket, 'status') ?? '') || paidAt === undefined) {
    return ignored('It is not paid.');
  }
  const id = textAt(basket, 'id');
  const currency = textAt(basket, 'currency');
  const amount = readMajor(basket.total, currency);
  if (amount.ok && amount.value.minor === 0n) return ignored('Nothing was charged.');
  const renewalOf = metaOf(basket, '_subscription_renewal');
  const payment = statePayment({
    ...{ id, orderId: id, amount, paidAt, recurring: renewalOf !== undefined },
    through: textAt(basket, 'transaction_id'),
    subscriptionId: renewalOf,
    product: textAt(listAt(basket, 'line_items')[0], 'name'),
    ...payerOf(basket),
  });
  const at = readIso(basket.date_modified_gmt) ?? paidAt;
  const refunds = listAt(basket, 'refunds')
    .filter(isObject)
    .map((refund) =>
      stateRefund({
        ...{ id: textAt(refund, 'id'), of: id, at, state: 'done' },
        amount: readMajor(withoutMinus(refund.total), currency),
      }),
    );
  return join(payment, ...refunds);
}

/** A subscription of WooCommerce Subscriptions: the order that began it, and its trial if it has one. */
export function translateSubscription(subscription: JsonObject): Translation {
  const subscriptionId = textAt(subscription, 'id');
  if (subscriptionId === undefined) return failed('It has no id.');
  const first = textAt(subscription, 'parent_id');
  const payer = payerOf(subscription);
  const hasTrial = textAt(subscription, 'trial_end_date_gmt') !== undefined;
  const sameMoney = hasTrial || first === '0' ? [] : [first];
  const link = stateLink({ sameMoney, subscriptionId, ...payer });
  if (!hasTrial) return link;
  const trial = statePayment({
    ...{ id: `trial-${subscriptionId}`, subscriptionId, recurring: false },
    amount: readMinor(0, textAt(subscription, 'currency')),
    paidAt: readIso(subscription.start_date_gmt) ?? readIso(subscription.date_created_gmt),
    product: textAt(listAt(subscription, 'line_items')[0], 'name'),
    ...payer,
  });
  return join(trial, link);
}

function payerOf(basket: JsonObject) {
  const names = ['first_name', 'last_name'].map((name) => textAt(basket, 'billing', name));
  const customerId = textAt(basket, 'customer_id');
  return {
    ...findAttached(basket.meta_data),
    // Guests are all customer 0.
    customerId: customerId === '0' ? undefined : customerId,
    email: textAt(basket, 'billing', 'email'),
    name: names.filter((name) => name !== undefined).join(' '),
  };
}

function metaOf(basket: JsonObject, key: string): string | undefined {
  const found = listAt(basket, 'meta_data').find((each) => textAt(each, 'key') === key);
  return textAt(found, 'value');
}

const OTHERS = /^(?:action|coupon|customer|order|product)\./;

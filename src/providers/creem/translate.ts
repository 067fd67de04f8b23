import { hundredths, readMinor } from '../amounts.ts';
import type { RefundFact, Translation } from '../facts.ts';
import { type JsonObject, type JsonValue, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import {
  failed,
  ignored,
  join,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readIso, readMillis } from '../times.ts';
import { findAttached } from '../visitor-id.ts';

/** What an event of Creem states. Amounts are hundredths. The id of money is that of its transaction. */
export function translateCreem({ type, body }: ProviderEvent): Translation {
  const object = objectAt(body, 'object') ?? objectAt(body, 'data');
  if (object === undefined) return failed('It has no object.');
  if (type === 'checkout.completed') return translateCheckout(object);
  if (type === 'subscription.paid') return translateCharge(object);
  if (type === 'subscription.trialing') return translateTrial(object);
  if (type === 'refund.created') return translateRefund(object);
  if (type === 'dispute.created') return translateDispute(object);
  return type.startsWith('subscription.') ? translateSubscription(object) : { kind: 'unknown' };
}

function translateCheckout(checkout: JsonObject): Translation {
  const basket = objectAt(checkout, 'order');
  const payer = payerOf(checkout);
  const subscriptionId = idAt(checkout, 'subscription');
  const money =
    idAt(basket, 'transaction') ?? textAt(checkout, 'subscription', 'last_transaction_id');
  const sameMoney = [textAt(basket, 'id'), textAt(checkout, 'id'), money];
  const link = stateLink({ sameMoney, subscriptionId, ...payer });
  if (textAt(basket, 'status') !== 'paid') return link;
  if (textAt(basket, 'type') === 'recurring' && money === undefined) {
    // The transaction is named by `subscription.paid`, and by nothing that says it is the same.
    return stateLink({ subscriptionId, ...payer });
  }
  const amount = amountOf(basket, objectAt(checkout, 'product'));
  if (amount === undefined) return findTransaction(money);
  if (amount.ok && amount.value.minor === 0n) return link;
  return statePayment({
    id: money ?? textAt(basket, 'id'),
    aliases: sameMoney,
    amount,
    paidAt: readIso(basket?.created_at),
    recurring: false,
    subscriptionId,
    product: textAt(checkout, 'product', 'name'),
    ...payer,
  });
}

/** A charge of a subscription: the first, which its checkout states too, or a later one. */
function translateCharge(subscription: JsonObject): Translation {
  const transaction = objectAt(subscription, 'last_transaction');
  const id = textAt(subscription, 'last_transaction_id') ?? textAt(transaction, 'id');
  if (id === undefined) return failed('It does not name its transaction.');
  const amount = amountOf(transaction, undefined);
  if (amount === undefined) return findTransaction(id);
  if (amount.ok && amount.value.minor === 0n) return translateSubscription(subscription);
  const subscriptionId = textAt(subscription, 'id');
  return statePayment({
    ...{ id, amount, subscriptionId, recurring: 'unless_first' },
    paidAt: readIso(subscription.last_transaction_date) ?? readMillis(transaction?.created_at),
    product: textAt(subscription, 'product', 'name'),
    ...payerOf(subscription),
  });
}

function translateTrial(subscription: JsonObject): Translation {
  const subscriptionId = textAt(subscription, 'id');
  return statePayment({
    id: subscriptionId && `trial:${subscriptionId}`,
    amount: readMinor(0, textAt(subscription, 'product', 'currency') ?? 'USD'),
    paidAt: readIso(subscription.created_at),
    recurring: false,
    subscriptionId,
    product: textAt(subscription, 'product', 'name'),
    ...payerOf(subscription),
  });
}

/** A subscription and whose it is. */
export function translateSubscription(subscription: JsonObject): Translation {
  const subscriptionId = textAt(subscription, 'id');
  return stateLink({ subscriptionId, ...payerOf(subscription) });
}

const REFUND_STATES: ReadonlyMap<string, RefundFact['state']> = new Map([
  ['succeeded', 'done'],
  ['failed', 'undone'],
  ['canceled', 'undone'],
]);

function translateRefund(refund: JsonObject): Translation {
  const state = REFUND_STATES.get(textAt(refund, 'status') ?? '');
  if (state === undefined) return ignored('The refund is not made yet.');
  return stateRefund({
    id: textAt(refund, 'id'),
    of: idAt(refund, 'transaction'),
    amount: readMinor(refund.refund_amount, textAt(refund, 'refund_currency'), hundredths),
    at: readMillis(refund.created_at),
    state,
  });
}

function translateDispute(dispute: JsonObject): Translation {
  const of = idAt(dispute, 'transaction');
  return stateDispute({
    // A transaction in the list is disputed without the dispute's id.
    ...{ id: of && `dispute:${of}`, of, state: 'open' },
    amount: readMinor(dispute.amount, textAt(dispute, 'currency'), hundredths),
    at: readMillis(dispute.created_at),
  });
}

/** A transaction of the list, with what became of it. */
export function translateTransaction(transaction: JsonObject): Translation {
  const id = textAt(transaction, 'id');
  const status = textAt(transaction, 'status') ?? '';
  if (!CHARGED.has(status)) return ignored('It is not paid.');
  const amount = amountOf(transaction, undefined) ?? readMinor(undefined, undefined);
  if (amount.ok && amount.value.minor === 0n) return ignored('Nothing was charged.');
  const at = readMillis(transaction.created_at) ?? readIso(transaction.created_at);
  const subscriptionId = idAt(transaction, 'subscription');
  const payment = statePayment({
    ...{ id, amount, subscriptionId, paidAt: at },
    recurring: subscriptionId === undefined ? false : 'unless_first',
    customerId: idAt(transaction, 'customer'),
  });
  if (status === 'chargeback') {
    return join(payment, stateDispute({ id: `dispute:${id}`, of: id, at, state: 'open' }));
  }
  const back = readMinor(transaction.refunded_amount, textAt(transaction, 'currency'), hundredths);
  if (!back.ok || back.value.minor === 0n) return payment;
  return join(payment, stateRefund({ id, of: id, amount: back, at, state: 'done' }));
}

const CHARGED = new Set(['paid', 'refunded', 'partialRefund', 'partial_refund', 'chargeback']);

/** What was paid, with tax; undefined if that is not said. */
function amountOf(money: JsonObject | undefined, product: JsonObject | undefined) {
  const currency = textAt(money, 'currency');
  const read = (value: JsonValue | undefined) => readMinor(value, currency, hundredths);
  if (textAt(money, 'amount_paid') !== undefined) return read(money?.amount_paid);
  const net = textAt(money, 'amount');
  const tax = textAt(money, 'tax_amount');
  if (net && tax && /^\d{1,15}$/.test(net) && /^\d{1,15}$/.test(tax)) {
    return read(String(BigInt(net) + BigInt(tax)));
  }
  return textAt(product, 'tax_mode') === 'inclusive' ? read(net) : undefined;
}

function findTransaction(id: string | undefined): Translation {
  if (id === undefined || !/^\w+$/.test(id)) return failed('It does not say what was paid.');
  return {
    kind: 'fetch',
    list: 'transactions',
    path: `/v1/transactions?transaction_id=${id}`,
    without: 'This event does not say what was paid. Add an API key, so that it can be looked up.',
  };
}

function payerOf(object: JsonObject) {
  const { metadata } = object;
  return {
    ...findAttached(metadata, objectAt(object, 'subscription')?.metadata),
    customerId: idAt(object, 'customer'),
    email: textAt(object, 'customer', 'email'),
    name: textAt(object, 'customer', 'name'),
  };
}

/** The id of an object that is given whole or by its id. */
function idAt(object: JsonObject | undefined, name: string): string | undefined {
  return textAt(object, name) ?? textAt(object, name, 'id');
}

import { addAmounts, readMajor } from '../amounts.ts';
import type { DisputeFact, Translation } from '../facts.ts';
import { isObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import {
  ignored,
  join,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readIso } from '../times.ts';
import { findAttached } from '../visitor-id.ts';

/** What an event of Shopify states. Amounts are decimal texts in the shop's currency; the money is the order. */
export function translateShopify({ type, body }: ProviderEvent): Translation {
  if (type === 'orders/paid') return translatePaid(body);
  if (type === 'orders/create') {
    const isPaid = textAt(body, 'financial_status') === 'paid';
    return isPaid ? translatePaid(body) : ignored('A payment counts once its order is paid.');
  }
  if (type === 'refunds/create') return translateRefund(body);
  if (type === 'order_transactions/create') return translateTransaction(body);
  if (type === 'disputes/create' || type === 'disputes/update') return translateDispute(body);
  return OTHERS.test(type) ? ignored('It moves no money.') : { kind: 'unknown' };
}

/** A paid order. Later edits and refunds leave its total as it was. */
function translatePaid(basket: JsonObject): Translation {
  const amount = readMajor(basket.total_price, textAt(basket, 'currency'));
  if (amount.ok && amount.value.minor === 0n) return ignored('Nothing was charged.');
  const id = textAt(basket, 'id');
  const items = listAt(basket, 'line_items');
  const customer = objectAt(basket, 'customer');
  return statePayment({
    ...{ id, orderId: id, amount, recurring: isRenewal(textAt(basket, 'source_name')) },
    aliases: [textAt(basket, 'checkout_token')],
    paidAt: readIso(basket.processed_at) ?? readIso(basket.created_at),
    product: textAt(items[0], 'title'),
    ...findAttached(
      basket.note_attributes,
      ...items.map((item) => (isObject(item) ? item.properties : undefined)),
    ),
    customerId: textAt(customer, 'id'),
    email: textAt(basket, 'email') ?? textAt(basket, 'contact_email') ?? textAt(customer, 'email'),
    name: nameOf(textAt(customer, 'first_name'), textAt(customer, 'last_name')),
  });
}

/** What the gateway calls the money of an order that it took. */
function translateTransaction(transaction: JsonObject): Translation {
  const through = throughOf([transaction], 'authorization');
  if (through === undefined) return ignored('It names no payment of another provider.');
  return stateLink({ sameMoney: [textAt(transaction, 'order_id')], through });
}

/** The only gateway that took money of an order: if there were several, each took a part. */
function throughOf(transactions: readonly JsonValue[], name: string): string | undefined {
  const taken = transactions
    .filter(isObject)
    .filter(
      ({ kind, status }) =>
        /^(?:sale|capture)$/i.test(String(kind)) && /^success$/i.test(String(status)),
    );
  return taken.length === 1 ? textAt(taken[0], name) : undefined;
}

/** A refund: what its successful transactions gave back. Goods may come back without money. */
function translateRefund(refund: JsonObject): Translation {
  const made = listAt(refund, 'transactions')
    .filter(isObject)
    .filter(({ kind, status }) => kind === 'refund' && status === 'success');
  if (made.length === 0) return ignored('It gave no money back.');
  return stateRefund({
    id: textAt(refund, 'id'),
    of: textAt(refund, 'order_id'),
    amount: addAmounts(made.map((each) => readMajor(each.amount, textAt(each, 'currency')))),
    at: readIso(refund.processed_at) ?? readIso(refund.created_at),
    state: 'done',
  });
}

const DISPUTE_STATES: ReadonlyMap<string, DisputeFact['state']> = new Map([
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['won', 'won'],
  // What was refunded is told as a refund.
  ['charge_refunded', 'won'],
  ['accepted', 'lost'],
  ['lost', 'lost'],
]);

function translateDispute(dispute: JsonObject): Translation {
  if (textAt(dispute, 'type') === 'inquiry') return ignored('An inquiry moves no money.');
  const state = DISPUTE_STATES.get(textAt(dispute, 'status') ?? '');
  if (state === undefined) return { kind: 'unknown' };
  return stateDispute({
    id: textAt(dispute, 'id'),
    of: textAt(dispute, 'order_id'),
    amount: readMajor(dispute.amount, textAt(dispute, 'currency')),
    at: readIso(dispute.finalized_on) ?? readIso(dispute.initiated_at),
    state,
  });
}

/** An order of the list, in the words of GraphQL, with its refunds. */
export function translateNode(node: JsonObject): Translation {
  if (node.test === true) return ignored('It is a test.');
  const id = textAt(node, 'legacyResourceId');
  const amount = moneyOf(node, 'totalPriceSet');
  if (amount.ok && amount.value.minor === 0n) return ignored('Nothing was charged.');
  const payment = statePayment({
    ...{ id, orderId: id, amount, recurring: isRenewal(textAt(node, 'sourceName')) },
    through: throughOf(listAt(node, 'transactions'), 'authorizationCode'),
    paidAt: readIso(node.processedAt) ?? readIso(node.createdAt),
    product: textAt(listAt(node, 'lineItems', 'nodes')[0], 'title'),
    ...findAttached(node.customAttributes),
    customerId: textAt(node, 'customer', 'legacyResourceId'),
    email: textAt(node, 'email') ?? textAt(node, 'customer', 'email'),
    name: textAt(node, 'customer', 'displayName'),
  });
  const refunds = listAt(node, 'refunds')
    .filter(isObject)
    .map((refund) => ({ refund, amount: moneyOf(refund, 'totalRefundedSet') }))
    .filter(({ amount: back }) => !back.ok || back.value.minor > 0n)
    .map(({ refund, amount: back }) =>
      stateRefund({
        ...{ id: textAt(refund, 'legacyResourceId'), of: id, amount: back, state: 'done' },
        at: readIso(refund.createdAt),
      }),
    );
  return join(payment, ...refunds);
}

/** Orders of subscriptions name their contract as their source. */
function isRenewal(source: string | undefined): boolean {
  return source?.startsWith('subscription_contract') === true;
}

function moneyOf(object: JsonObject, name: string) {
  const money = objectAt(object, name, 'shopMoney');
  return readMajor(money?.amount, textAt(money, 'currencyCode'));
}

function nameOf(...names: readonly (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(' ');
}

const OTHERS = /^(?:app|carts|checkouts|customers|fulfillments|orders|products|shop)\//;

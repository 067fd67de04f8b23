import { readMajor, readMinor, withoutMinus } from '../amounts.ts';
import type { DisputeFact, Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { readRate } from '../rates.ts';
import {
  failed,
  ignored,
  join,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readIso } from '../times.ts';
import { toVisitorId } from '../visitor-id.ts';

/** What an event of PayPal states. Amounts are decimal texts; the money is the capture, or the sale of a subscription. */
export function translatePayPal({ type, body }: ProviderEvent): Translation {
  const resource = objectAt(body, 'resource');
  if (resource === undefined) return failed('It has no resource.');
  const translate = Object.hasOwn(TRANSLATORS, type) ? TRANSLATORS[type] : undefined;
  if (translate !== undefined) return translate(resource);
  return OTHERS.test(type) ? ignored('It moves no money.') : { kind: 'unknown' };
}

const TRANSLATORS: Readonly<Record<string, (resource: JsonObject) => Translation>> = {
  'PAYMENT.CAPTURE.COMPLETED': translateCapture,
  'PAYMENT.SALE.COMPLETED': translateSale,
  'PAYMENT.CAPTURE.REFUNDED': translateRefund,
  'PAYMENT.SALE.REFUNDED': translateRefund,
  'PAYMENT.CAPTURE.REVERSED': translateReversal,
  'PAYMENT.SALE.REVERSED': translateReversal,
  'CUSTOMER.DISPUTE.CREATED': translateDispute,
  'CUSTOMER.DISPUTE.UPDATED': translateDispute,
  'CUSTOMER.DISPUTE.RESOLVED': translateDispute,
  'BILLING.SUBSCRIPTION.CREATED': translateSubscription,
  'BILLING.SUBSCRIPTION.ACTIVATED': translateSubscription,
};

function translateCapture(capture: JsonObject): Translation {
  const amount = amountOf(capture);
  const exchange = objectAt(capture, 'seller_receivable_breakdown', 'exchange_rate');
  return statePayment({
    id: textAt(capture, 'id'),
    aliases: [textAt(capture, 'supplementary_data', 'related_ids', 'order_id')],
    amount,
    rate: readRate(amount, textAt(exchange, 'target_currency'), exchange?.value),
    paidAt: readIso(capture.create_time),
    recurring: false,
    orderId: textAt(capture, 'invoice_id'),
    visitorId: toVisitorId(capture.custom_id),
  });
}

/** A payment of the older shape, as subscriptions still have. */
function translateSale(sale: JsonObject): Translation {
  const subscriptionId = textAt(sale, 'billing_agreement_id');
  const amount = amountOf(sale);
  return statePayment({
    id: textAt(sale, 'id'),
    ...{ aliases: [textAt(sale, 'parent_payment')], amount, subscriptionId },
    rate: readRate(amount, textAt(sale, 'receivable_amount', 'currency'), sale.exchange_rate),
    paidAt: readIso(sale.create_time),
    recurring: subscriptionId === undefined ? false : 'unless_first',
    visitorId: toVisitorId(sale.custom),
  });
}

function translateRefund(refund: JsonObject): Translation {
  const status = textAt(refund, 'status') ?? textAt(refund, 'state');
  if (status?.toUpperCase() === 'PENDING') return ignored('The refund is not made yet.');
  const isUndone = UNDONE.has(status?.toUpperCase() ?? '');
  return stateRefund({
    id: textAt(refund, 'id'),
    of: paymentOf(refund),
    amount: amountOf(refund),
    at: readIso(refund.create_time),
    state: isUndone ? 'undone' : 'done',
  });
}

const UNDONE = new Set(['FAILED', 'CANCELLED']);

/** Money that a bank or PayPal took back. Its dispute may be told as well, so both are of the payment. */
function translateReversal(resource: JsonObject): Translation {
  const of = paymentOf(resource) ?? textAt(resource, 'id');
  return stateDispute({
    ...{ id: disputeIdOf(of), of, state: 'lost' },
    amount: amountOf(resource),
    at: readIso(resource.update_time) ?? readIso(resource.create_time),
  });
}

const OUTCOMES: ReadonlyMap<string, DisputeFact['state']> = new Map([
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['ACCEPTED', 'lost'],
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['RESOLVED_WITH_PAYOUT', 'won'],
  ['CANCELED_BY_BUYER', 'won'],
  ['DENIED', 'won'],
]);

function translateDispute(dispute: JsonObject): Translation {
  if (textAt(dispute, 'dispute_life_cycle_stage') === 'INQUIRY') {
    return ignored('An inquiry moves no money.');
  }
  const of = textAt(listAt(dispute, 'disputed_transactions')[0], 'seller_transaction_id');
  const outcome = textAt(dispute, 'dispute_outcome', 'outcome_code');
  const isResolved = textAt(dispute, 'status') === 'RESOLVED';
  const state = isResolved ? OUTCOMES.get(outcome ?? '') : 'open';
  if (state === undefined) return ignored('The dispute ended without an outcome.');
  const amount = objectAt(dispute, 'dispute_amount');
  return stateDispute({
    ...{ id: disputeIdOf(of), of, state },
    amount: amount && readMajor(amount.value, textAt(amount, 'currency_code')),
    at: readIso(dispute.update_time) ?? readIso(dispute.create_time),
  });
}

function translateSubscription(subscription: JsonObject): Translation {
  const subscriptionId = textAt(subscription, 'id');
  const subscriber = objectAt(subscription, 'subscriber');
  const payer = {
    visitorId: toVisitorId(subscription.custom_id),
    customerId: textAt(subscriber, 'payer_id'),
    email: textAt(subscriber, 'email_address'),
    name: nameOf(subscriber, 'name'),
  };
  const link = stateLink({ subscriptionId, ...payer });
  const billing = objectAt(subscription, 'billing_info');
  const isOnTrial = listAt(billing, 'cycle_executions')
    .filter(isObject)
    .some((cycle) => cycle.tenure_type === 'TRIAL' && Number(cycle.cycles_completed) > 0);
  const hasPaid = Number(objectAt(billing, 'last_payment', 'amount')?.value) > 0;
  if (!isOnTrial || hasPaid || textAt(subscription, 'status') !== 'ACTIVE') return link;
  const trial = statePayment({
    ...{ id: subscriptionId && `trial:${subscriptionId}`, subscriptionId, recurring: false },
    amount: readMinor(0, textAt(billing, 'outstanding_balance', 'currency_code') ?? 'USD'),
    paidAt: readIso(subscription.start_time) ?? readIso(subscription.create_time),
    ...payer,
  });
  return join(trial, link);
}

/** A transaction of the report, whose kind its event code says. */
export function translateReported(details: JsonObject): Translation {
  const info = objectAt(details, 'transaction_info');
  const code = textAt(info, 'transaction_event_code') ?? '';
  const value = textAt(info, 'transaction_amount', 'value') ?? '';
  if (textAt(info, 'transaction_status') !== 'S') return ignored('It is not completed.');
  const id = textAt(info, 'transaction_id');
  const of = textAt(info, 'paypal_reference_id');
  const amount = readMajor(
    withoutMinus(value),
    textAt(info, 'transaction_amount', 'currency_code'),
  );
  const at = readIso(info?.transaction_initiation_date);
  if (code === 'T1107') return stateRefund({ id, of, amount, at, state: 'done' });
  if (code === 'T1106' || code === 'T1201') {
    return stateDispute({ id: disputeIdOf(of), of, amount, at, state: 'lost' });
  }
  if (code === 'T1202') return stateDispute({ id: disputeIdOf(of), of, amount, at, state: 'won' });
  if (!code.startsWith('T00') || !(Number(value) > 0)) return ignored('It is no payment.');
  const payer = objectAt(details, 'payer_info');
  const isSubscription = textAt(info, 'paypal_reference_id_type') === 'SUB';
  return statePayment({
    ...{ id, amount, paidAt: at, recurring: isSubscription ? 'unless_first' : false },
    subscriptionId: isSubscription ? of : undefined,
    orderId: textAt(info, 'invoice_id'),
    product: textAt(listAt(details, 'cart_info', 'item_details')[0], 'item_name'),
    visitorId: toVisitorId(info?.custom_field),
    customerId: textAt(payer, 'account_id'),
    email: textAt(payer, 'email_address'),
    name: nameOf(payer, 'payer_name'),
  });
}

/** Newer objects have `value` and `currency_code`, older ones `total` and `currency`. */
function amountOf(object: JsonObject) {
  const amount = objectAt(object, 'amount');
  const value = textAt(amount, 'value') ?? textAt(amount, 'total');
  const code = textAt(amount, 'currency_code') ?? textAt(amount, 'currency');
  return readMajor(withoutMinus(value), code);
}

/** The payment that a refund or reversal is of: an older one names it, a newer one links to it. */
function paymentOf(object: JsonObject): string | undefined {
  const up = listAt(object, 'links').find((link) => textAt(link, 'rel') === 'up');
  const linked = /\/(?:captures|sale)\/(\w+)$/.exec(textAt(up, 'href') ?? '')?.[1];
  return textAt(object, 'sale_id') ?? textAt(object, 'capture_id') ?? linked;
}

function disputeIdOf(of: string | undefined): string | undefined {
  return of && `dispute:${of}`;
}

function nameOf(owner: JsonObject | undefined, key: string): string {
  const names = [textAt(owner, key, 'given_name'), textAt(owner, key, 'surname')];
  return names.filter((name) => name !== undefined).join(' ');
}

const OTHERS =
  /^(?:BILLING|BILLING_AGREEMENTS|CATALOG|CHECKOUT|CUSTOMER|IDENTITY|INVOICING|MERCHANT|PAYMENT|PAYMENTS|VAULT)\./;

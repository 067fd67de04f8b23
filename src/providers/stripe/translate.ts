import { toFactAmount } from '../amounts.ts';
import type {
  DisputeFact,
  FactAmount,
  LinkFact,
  Payer,
  PaymentFact,
  ProviderFact,
  RefundFact,
  Translation,
} from '../facts.ts';
import { isObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { findVisitorId } from '../visitor-id.ts';

/** An event's object, and when the event was made. */
type Happened = { readonly object: JsonObject; readonly at: number };
type Translate = (event: Happened) => Translation;

/**
 * What a Stripe event states. The money is a PaymentIntent, or a charge without one.
 *
 * - Since API version 2025-03-31 ("basil"), neither an invoice nor a charge names the other: they are twins.
 * - Source: https://docs.stripe.com/api/events/types
 */
export function translateStripe({ type, body }: ProviderEvent): Translation {
  if (textAt(body, 'object') === 'v2.core.event') return toFetched(body);
  const translate = Object.hasOwn(TRANSLATORS, type) ? TRANSLATORS[type] : undefined;
  if (translate === undefined) return { kind: 'unknown' };
  const object = objectAt(body, 'data', 'object');
  const at = timeAt(body, 'created');
  if (object === undefined || at === undefined) return failed('it has no object');
  return translate({ object, at });
}

const TRANSLATORS: Readonly<Record<string, Translate>> = {
  'charge.succeeded': translateCharge,
  'charge.captured': translateCharge,
  'charge.updated': translateCharge,
  'charge.refunded': translateRefundedCharge,
  'payment_intent.succeeded': translateIntent,
  'invoice.paid': translateInvoice,
  'invoice.payment_succeeded': translateInvoice,
  'invoice_payment.paid': translateInvoicePayment,
  'checkout.session.completed': translateSession,
  'checkout.session.async_payment_succeeded': translateSession,
  'refund.created': translateRefund,
  'refund.updated': translateRefund,
  'refund.failed': translateRefund,
  'charge.refund.updated': translateRefund,
  'charge.dispute.created': translateDispute,
  'charge.dispute.updated': translateDispute,
  'charge.dispute.closed': translateDispute,
  'charge.dispute.funds_withdrawn': translateDispute,
  'charge.dispute.funds_reinstated': translateDispute,
  'customer.created': translateCustomer,
  'customer.updated': translateCustomer,
  'customer.subscription.created': translateSubscription,
  'customer.subscription.updated': translateSubscription,
};

/** The events to choose. Others are kept and counted. */
export const STRIPE_EVENTS: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'charge.succeeded',
  'charge.captured',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
  'invoice.paid',
  'invoice_payment.paid',
  'customer.subscription.created',
];

function translateCharge({ object }: Happened): Translation {
  const isDone =
    object.paid === true && object.captured !== false && textAt(object, 'status') === 'succeeded';
  if (!isDone) return ignored('The charge is not captured.');
  const amount = amountAt(object, 'amount_captured') ?? amountAt(object, 'amount');
  const charge = textAt(object, 'id');
  if (amount === undefined || charge === undefined) return failed('its amount or id is missing');
  return facts(
    payment(object, {
      id: idAt(object, 'payment_intent') ?? charge,
      aliases: idsOf(charge, idAt(object, 'invoice')),
      ...{ amount, recurring: false, twin: 'money' },
      paidAt: timeAt(object, 'created'),
      email: textAt(object, 'billing_details', 'email') ?? textAt(object, 'receipt_email'),
      name: textAt(object, 'billing_details', 'name'),
    }),
  );
}

/** What was given back in all, or each refund where the charge lists them, as older API versions do. */
function translateRefundedCharge({ object, at }: Happened): Translation {
  const paid = translateCharge({ object, at });
  const charge = textAt(object, 'id');
  const of = idAt(object, 'payment_intent') ?? charge;
  const amount = amountAt(object, 'amount_refunded');
  if (of === undefined || amount === undefined) return failed('its refunded amount is missing');
  const listed = listAt(object, 'refunds', 'data').filter(isObject).flatMap(toRefunds);
  const total: RefundFact = { fact: 'refund', id: of, of, amount, at, state: 'done' };
  const link: LinkFact = { fact: 'link', sameMoney: idsOf(of, charge) };
  return facts(
    ...(paid.kind === 'facts' ? paid.facts : [link]),
    ...(listed.length > 0 ? listed : [total]),
  );
}

function translateIntent({ object }: Happened): Translation {
  const amount = amountAt(object, 'amount_received') ?? amountAt(object, 'amount');
  const id = textAt(object, 'id');
  if (amount === undefined || id === undefined) return failed('its amount or id is missing');
  return facts(
    payment(object, {
      ...{ id, aliases: idsOf(idAt(object, 'latest_charge'), idAt(object, 'invoice')) },
      ...{ amount, recurring: false, twin: 'money' },
      paidAt: timeAt(object, 'created'),
      email: textAt(object, 'receipt_email'),
    }),
  );
}

function translateInvoice({ object, at }: Happened): Translation {
  const invoice = textAt(object, 'id');
  const paid = amountAt(object, 'amount_paid');
  if (invoice === undefined || paid === undefined) return failed('its amount or id is missing');
  const reason = textAt(object, 'billing_reason');
  const outside = amountAt(object, 'amount_paid_off_stripe')?.minor ?? 0n;
  const amount = { ...paid, minor: paid.minor - outside };
  if (object.paid_out_of_band === true || (outside > 0n && amount.minor <= 0n)) {
    return ignored('It was paid outside Stripe.');
  }
  const isTrial = reason === 'subscription_create' && textAt(object, 'total') === '0';
  if (amount.minor <= 0n && !isTrial) return ignored('Nothing was paid.');
  const money = findMoneyOf(object);
  const details = objectAt(object, 'parent', 'subscription_details');
  const lines = listAt(object, 'lines', 'data');
  return facts(
    payment(object, {
      id: money ?? invoice,
      aliases: idsOf(invoice, idAt(object, 'charge')),
      ...{ amount, recurring: reason === 'subscription_cycle' },
      ...(money === undefined && amount.minor > 0n && { twin: 'bill' as const }),
      paidAt: timeAt(object, 'status_transitions', 'paid_at') ?? at,
      subscriptionId: idAt(details, 'subscription') ?? idAt(object, 'subscription'),
      visitorId: findVisitorId(
        object.metadata,
        details?.metadata,
        objectAt(object, 'subscription_details')?.metadata,
        ...lines.map((line) => objectAt(line, 'metadata')),
      ),
      email: textAt(object, 'customer_email'),
      name: textAt(object, 'customer_name'),
      product: toProduct(textAt(lines[0], 'description')),
    }),
  );
}

/** The money that an invoice names: always before basil, later only if its payments are expanded. */
function findMoneyOf(invoice: JsonObject): string | undefined {
  const payments = listAt(invoice, 'payments', 'data').filter(isObject);
  const [only] = payments.filter((each) => textAt(each, 'status') !== 'canceled');
  const named = payments.length === 1 ? toPaidWith(only) : undefined;
  return named ?? idAt(invoice, 'payment_intent') ?? idAt(invoice, 'charge');
}

function toPaidWith(invoicePayment: JsonObject | undefined): string | undefined {
  const payment = objectAt(invoicePayment, 'payment');
  return idAt(payment, 'payment_intent') ?? idAt(payment, 'charge');
}

function translateInvoicePayment({ object }: Happened): Translation {
  const sameMoney = idsOf(idAt(object, 'invoice'), toPaidWith(object));
  return sameMoney.length === 2
    ? facts({ fact: 'link', sameMoney })
    : ignored('It names no payment.');
}

function translateSession({ object, at }: Happened): Translation {
  const session = textAt(object, 'id');
  if (session === undefined) return failed('its id is missing');
  const intent = idAt(object, 'payment_intent');
  const invoice = idAt(object, 'invoice');
  const subscriptionId = idAt(object, 'subscription');
  const payer = {
    ...payerOf(object),
    visitorId: findVisitorId(object.metadata) ?? textAt(object, 'client_reference_id'),
    email: textAt(object, 'customer_details', 'email') ?? textAt(object, 'customer_email'),
    name: textAt(object, 'customer_details', 'name'),
  };
  const aliases = idsOf(session, invoice, intent);
  const link: LinkFact = { fact: 'link', ...payer, sameMoney: aliases, subscriptionId };
  const amount = amountAt(object, 'amount_total');
  const status = textAt(object, 'payment_status');
  const isTrial = status === 'no_payment_required' && subscriptionId !== undefined;
  const isPaid = status === 'paid' && (amount?.minor ?? 0n) > 0n;
  if (amount === undefined || !(isPaid || isTrial)) return facts(link);
  const isBill = isPaid && intent === undefined;
  return facts({
    ...{ fact: 'payment', ...payer, id: intent ?? invoice ?? session, aliases },
    ...{ amount: isTrial ? { ...amount, minor: 0n } : amount, paidAt: at },
    ...{ recurring: false, subscriptionId, ...(isBill && { twin: 'bill' }) },
  });
}

function translateRefund({ object }: Happened): Translation {
  const refunds = toRefunds(object);
  return refunds.length > 0 ? facts(...refunds) : ignored('The refund is not paid back yet.');
}

function toRefunds(object: JsonObject): ProviderFact[] {
  const state = REFUND_STATES[textAt(object, 'status') ?? 'succeeded'];
  const charge = idAt(object, 'charge');
  const of = idAt(object, 'payment_intent') ?? charge;
  const [id, amount] = [textAt(object, 'id'), amountAt(object, 'amount')];
  const at = timeAt(object, 'created');
  if (state === undefined || !of || !id || amount === undefined || at === undefined) return [];
  const refund: RefundFact = { fact: 'refund', id, of, amount, at, state };
  return [refund, { fact: 'link', sameMoney: idsOf(of, charge) }];
}

/** Others are under way. */
const REFUND_STATES: Readonly<Record<string, RefundFact['state']>> = {
  succeeded: 'done',
  failed: 'undone',
  canceled: 'undone',
};

function translateDispute({ object }: Happened): Translation {
  const [id, status] = [textAt(object, 'id'), textAt(object, 'status') ?? ''];
  const charge = idAt(object, 'charge');
  const of = idAt(object, 'payment_intent') ?? charge;
  const at = timeAt(object, 'created');
  if (!id || !of || at === undefined) return failed('its id or charge is missing');
  if (/^warning_(needs_response|under_review)$/.test(status)) {
    return ignored('It is an inquiry: no money has left.');
  }
  const won = ['won', 'warning_closed', 'prevented'];
  const state: DisputeFact['state'] = won.includes(status)
    ? 'won'
    : status === 'lost'
      ? 'lost'
      : 'open';
  const amount = amountAt(object, 'amount');
  return facts(
    { fact: 'dispute', id, of, amount, at, state },
    { fact: 'link', sameMoney: idsOf(of, charge) },
  );
}

function translateCustomer({ object }: Happened): Translation {
  const visitorId = findVisitorId(object.metadata);
  if (visitorId === undefined) return ignored('The customer names no visitor.');
  return facts({ fact: 'link', customerId: textAt(object, 'id'), visitorId });
}

/** A trial is a payment of 0. Its invoice says the same, if the webhook sends invoices. */
function translateSubscription({ object, at }: Happened): Translation {
  const subscriptionId = textAt(object, 'id');
  if (subscriptionId === undefined) return failed('its id is missing');
  const visitorId = findVisitorId(object.metadata);
  const customerId = idAt(object, 'customer');
  const link: LinkFact = { fact: 'link', subscriptionId, customerId, visitorId };
  const trialStart = timeAt(object, 'trial_start');
  const amount = toFactAmount('0', textAt(object, 'currency') ?? currencyOfItems(object));
  const isTrial = textAt(object, 'status') === 'trialing' && trialStart !== undefined;
  const invoice = idAt(object, 'latest_invoice');
  if (!isTrial || amount === undefined || invoice === undefined) return facts(link);
  const paidAt = trialStart ?? at;
  const trial = { id: invoice, amount, paidAt, recurring: false, subscriptionId };
  return facts({ fact: 'payment', ...trial, customerId, visitorId });
}

function currencyOfItems(subscription: JsonObject): string | undefined {
  return textAt(listAt(subscription, 'items', 'data')[0], 'price', 'currency');
}

/** A thin event names its object, which only the API has. */
function toFetched(body: JsonObject): Translation {
  const path = textAt(body, 'related_object', 'url');
  if (path === undefined) return { kind: 'unknown' };
  const without =
    'The endpoint sends thin events, which name their object without its content. Recreate it in Stripe with the payload style "Snapshot", or give the connection a restricted key.';
  return { kind: 'fetch', path, without };
}

type Stated = Omit<PaymentFact, 'fact' | 'paidAt'> & { readonly paidAt: number | undefined };

/** A payment, with what the object says of its payer unless it is stated. */
function payment(object: JsonObject, { paidAt, ...stated }: Stated): PaymentFact {
  return { fact: 'payment', ...payerOf(object), ...defined(stated), paidAt: paidAt ?? 0 };
}

function payerOf(object: JsonObject): Payer {
  return { customerId: idAt(object, 'customer'), visitorId: findVisitorId(object.metadata) };
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** A line says "1 × Tea (at €9.00 / month)". */
function toProduct(line: string | undefined): string | undefined {
  return line?.replace(/^\d+ × /, '').replace(/ \(at .+\)$/, '');
}

/** The id of another object, which may be expanded. */
function idAt(value: JsonValue | undefined, ...path: readonly string[]): string | undefined {
  return textAt(value, ...path) ?? textAt(value, ...path, 'id');
}

function idsOf(...ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}

function timeAt(value: JsonValue | undefined, ...path: readonly string[]): number | undefined {
  const seconds = textAt(value, ...path);
  return seconds !== undefined && /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

/**
 * Stripe's own decimals. UGX and ISK are written with two, which are always 0; MGA with none.
 *
 * - Source: https://docs.stripe.com/currencies#zero-decimal
 */
const EXPONENTS = new Map([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

function amountAt(object: JsonObject, name: string): FactAmount | undefined {
  const code = textAt(object, 'currency')?.toUpperCase() ?? '';
  return toFactAmount(textAt(object, name), code, EXPONENTS.get(code) ?? 2);
}

function facts(...stated: readonly ProviderFact[]): Translation {
  return { kind: 'facts', facts: stated };
}

function ignored(why: string): Translation {
  return { kind: 'ignored', why };
}

function failed(why: string): Translation {
  return { kind: 'failed', why: `It is not as Stripe documents it: ${why}.` };
}

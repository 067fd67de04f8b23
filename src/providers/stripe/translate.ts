import type { DisputeFact, LinkFact, ProviderFact, RefundFact, Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { findVisitorId } from '../visitor-id.ts';
import {
  amountAt,
  facts,
  failed,
  findAmountFault,
  type Happened,
  idAt,
  idsOf,
  ignored,
  payment,
  type Translate,
  timeAt,
} from './objects.ts';
import {
  translateCheckout,
  translateInvoice,
  translateInvoicePayment,
  translateSubscription,
} from './translate-billing.ts';

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
  const translation = translate({ object, at });
  const why = translation.kind === 'failed' ? findAmountFault(object) : undefined;
  return why === undefined ? translation : { kind: 'failed', why };
}

/** By the type of the event. */
export const TRANSLATORS: Readonly<Record<string, Translate>> = {
  'charge.succeeded': translateCharge,
  'charge.captured': translateCharge,
  'charge.updated': translateCharge,
  'charge.refunded': translateRefundedCharge,
  'payment_intent.succeeded': translateIntent,
  'invoice.paid': translateInvoice,
  'invoice.payment_succeeded': translateInvoice,
  'invoice_payment.paid': translateInvoicePayment,
  'checkout.session.completed': translateCheckout,
  'checkout.session.async_payment_succeeded': translateCheckout,
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
export const STRIPE_EVENTS: readonly string[] = `
  checkout.session.completed checkout.session.async_payment_succeeded charge.succeeded
  charge.captured charge.refunded refund.created refund.updated refund.failed
  charge.dispute.created charge.dispute.closed invoice.paid invoice_payment.paid
  customer.subscription.created`
  .trim()
  .split(/\s+/);

function translateCharge({ object }: Happened): Translation {
  const isDone =
    object.paid === true && object.captured !== false && textAt(object, 'status') === 'succeeded';
  if (!isDone) return ignored('The charge is not captured.');
  const amount = amountAt(object, 'amount_captured', 'amount');
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
  const amount = amountAt(object, 'amount_received', 'amount');
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

/** A thin event names its object, which only the API has. */
function toFetched(body: JsonObject): Translation {
  const path = textAt(body, 'related_object', 'url');
  if (path === undefined) return { kind: 'unknown' };
  const without =
    'The endpoint sends thin events, which name their object without its content. Recreate it in Stripe with the payload style "Snapshot", or give the connection a restricted key.';
  // The path is /v1/charges/ch_…
  return { kind: 'fetch', list: path.split('/')[2] ?? '', path, without };
}

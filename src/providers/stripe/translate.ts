import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { rateBetween } from '../rates.ts';
import {
  failed,
  ignored,
  join,
  REFUND_STATES,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readSeconds } from '../times.ts';
import { findVisitorId } from '../visitor-id.ts';
import { chargeIdOf, idAt, minorOf, payerOf } from './objects.ts';
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
  return translateObject(type, objectAt(body, 'data', 'object'), readSeconds(body.created));
}

/** What an object states, by the type of its event, its list, or the name by which thin events know it. */
export function translateObject(name: string, object?: JsonObject, at?: number): Translation {
  const translate = TRANSLATORS.find(([names]) => names.test(name))?.[1];
  if (translate === undefined) return { kind: 'unknown' };
  if (object === undefined || at === undefined) return failed('It has no object, or no time.');
  return translate(object, at);
}

type Translate = (object: JsonObject, at: number) => Translation;

const TRANSLATORS: readonly (readonly [names: RegExp, Translate])[] = [
  [/^charges$|^charge\.(?:succeeded|captured|updated)$/, translateCharge],
  [/^charge\.refunded$/, translateRefundedCharge],
  [/^payment_intents$|^payment_intent\.succeeded$/, translateIntent],
  [/^invoices$|^invoice\.(?:paid|payment_succeeded)$/, translateInvoice],
  [/^invoice_payments$|^invoice_payment\.paid$/, translateInvoicePayment],
  [/^checkout(?:\/sessions|\.session\.(?:completed|async_payment_succeeded))?$/, translateCheckout],
  [/^refunds$|^(?:charge\.)?refund\.(?:created|updated|failed)$/, translateRefund],
  [/^disputes$|^charge\.dispute\./, translateDispute],
  [/^customers$|^customer\.(?:created|updated)$/, translateCustomer],
  [/^subscriptions$|^customer\.subscription\.(?:created|updated)$/, translateSubscription],
];

function translateCharge(charge: JsonObject): Translation {
  const isDone =
    charge.paid === true && charge.captured !== false && textAt(charge, 'status') === 'succeeded';
  if (!isDone) return ignored('The charge is not captured.');
  const id = textAt(charge, 'id');
  const amount = minorOf(charge, 'amount_captured', 'amount');
  return statePayment({
    ...{ ...payerOf(charge), recurring: false, twin: 'money', amount },
    ...{ id: chargeIdOf(charge) ?? id, aliases: [id, idAt(charge, 'invoice')] },
    rate: rateBetween(amount, minorOf(objectAt(charge, 'balance_transaction'), 'amount')),
    paidAt: readSeconds(charge.created),
    email: textAt(charge, 'billing_details', 'email') ?? textAt(charge, 'receipt_email'),
    name: textAt(charge, 'billing_details', 'name'),
  });
}

/** What was given back in all, or each refund where the charge lists them, as older API versions do. */
function translateRefundedCharge(charge: JsonObject, at: number): Translation {
  const [id, amount] = [textAt(charge, 'id'), minorOf(charge, 'amount_refunded')];
  const of = chargeIdOf(charge) ?? id;
  const refunds = listAt(charge, 'refunds', 'data').filter(isObject).map(translateRefund);
  const listed = refunds.filter(({ kind }) => kind === 'facts');
  const total = stateRefund({ id: of, of, amount, at, state: 'done' });
  const link = stateLink({ sameMoney: [of, id] });
  return join(translateCharge(charge), link, ...(listed.length > 0 ? listed : [total]));
}

function translateIntent(intent: JsonObject): Translation {
  return statePayment({
    ...{ ...payerOf(intent), recurring: false, twin: 'money', id: textAt(intent, 'id') },
    aliases: [idAt(intent, 'latest_charge'), idAt(intent, 'invoice')],
    amount: minorOf(intent, 'amount_received', 'amount'),
    ...{ paidAt: readSeconds(intent.created), email: textAt(intent, 'receipt_email') },
  });
}

function translateRefund(refund: JsonObject): Translation {
  const state = REFUND_STATES.get(textAt(refund, 'status') ?? 'succeeded');
  if (state === undefined) return ignored('The refund is not paid back yet.');
  const of = chargeIdOf(refund);
  const [amount, at] = [minorOf(refund, 'amount'), readSeconds(refund.created)];
  return join(
    stateRefund({ id: textAt(refund, 'id'), of, amount, at, state }),
    stateLink({ sameMoney: [of, idAt(refund, 'charge')] }),
  );
}

function translateDispute(dispute: JsonObject): Translation {
  const status = textAt(dispute, 'status') ?? '';
  if (/^warning_(?:needs_response|under_review)$/.test(status)) {
    return ignored('It is an inquiry: no money has left.');
  }
  const kept = /^(?:won|warning_closed|prevented)$/.test(status) ? 'won' : 'open';
  const state = status === 'lost' ? status : kept;
  const of = chargeIdOf(dispute);
  const [amount, at] = [minorOf(dispute, 'amount'), readSeconds(dispute.created)];
  return join(
    stateDispute({ id: textAt(dispute, 'id'), of, amount, at, state }),
    stateLink({ sameMoney: [of, idAt(dispute, 'charge')] }),
  );
}

function translateCustomer(customer: JsonObject): Translation {
  const visitorId = findVisitorId(customer.metadata);
  if (visitorId === undefined) return ignored('The customer names no visitor.');
  return stateLink({ customerId: textAt(customer, 'id'), visitorId });
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

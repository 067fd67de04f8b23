import { readMinor } from '../amounts.ts';
import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import { ignored, stateLink, statePayment } from '../state-facts.ts';
import { readSeconds } from '../times.ts';
import { findAttached } from '../visitor-id.ts';
import { chargeIdOf, idAt, minorOf, payerOf } from './objects.ts';

/** A paid invoice: a payment, or the start of a trial. */
export function translateInvoice(invoice: JsonObject, at: number): Translation {
  const paid = minorOf(invoice, 'amount_paid');
  const outside = minorOf(invoice, 'amount_paid_off_stripe');
  const outsideMinor = outside.ok ? outside.value.minor : 0n;
  const minor = paid.ok ? paid.value.minor - outsideMinor : 0n;
  if (invoice.paid_out_of_band === true || (outsideMinor > 0n && minor <= 0n)) {
    return ignored('It was paid outside Stripe.');
  }
  const reason = textAt(invoice, 'billing_reason');
  const isTrial = reason === 'subscription_create' && textAt(invoice, 'total') === '0';
  if (paid.ok && minor <= 0n && !isTrial) return ignored('Nothing was paid.');
  const [id, money] = [textAt(invoice, 'id'), findMoneyOf(invoice)];
  const details = objectAt(invoice, 'parent', 'subscription_details');
  const lines = listAt(invoice, 'lines', 'data');
  return statePayment({
    ...{ id: money ?? id, aliases: [id, idAt(invoice, 'charge')] },
    amount: paid.ok ? { ok: true, value: { ...paid.value, minor } } : paid,
    recurring: reason === 'subscription_cycle',
    twin: money === undefined && minor > 0n ? 'bill' : undefined,
    paidAt: readSeconds(objectAt(invoice, 'status_transitions')?.paid_at) ?? at,
    subscriptionId: idAt(details, 'subscription') ?? idAt(invoice, 'subscription'),
    customerId: idAt(invoice, 'customer'),
    ...findAttached(
      invoice.metadata,
      details?.metadata,
      objectAt(invoice, 'subscription_details')?.metadata,
      ...lines.map((line) => objectAt(line, 'metadata')),
    ),
    email: textAt(invoice, 'customer_email'),
    name: textAt(invoice, 'customer_name'),
    // A line says "1 × Tea (at €9.00 / month)".
    product: textAt(lines[0], 'description')
      ?.replace(/^\d+ × /, '')
      .replace(/ \(at .+\)$/, ''),
  });
}

/** The money that an invoice names: always before basil, later only if its payments are expanded. */
function findMoneyOf(invoice: JsonObject): string | undefined {
  const payments = listAt(invoice, 'payments', 'data').filter(isObject);
  const [only] = payments.filter((each) => textAt(each, 'status') !== 'canceled');
  const named = payments.length === 1 ? chargeIdOf(objectAt(only, 'payment')) : undefined;
  return named ?? chargeIdOf(invoice);
}

/** The link between an invoice and the money that paid it. */
export function translateInvoicePayment(payment: JsonObject): Translation {
  const sameMoney = [idAt(payment, 'invoice'), chargeIdOf(objectAt(payment, 'payment'))];
  return sameMoney.includes(undefined) ? ignored('It names no payment.') : stateLink({ sameMoney });
}

/** A completed Checkout: who paid, and often the payment. */
export function translateCheckout(session: JsonObject, at: number): Translation {
  const id = textAt(session, 'id');
  const [intent, invoice] = [idAt(session, 'payment_intent'), idAt(session, 'invoice')];
  const subscriptionId = idAt(session, 'subscription');
  const payer = {
    customerId: idAt(session, 'customer'),
    ...findAttached(session.metadata, { visitor_id: session.client_reference_id ?? null }),
    email: textAt(session, 'customer_details', 'email') ?? textAt(session, 'customer_email'),
    name: textAt(session, 'customer_details', 'name'),
  };
  const aliases = [id, invoice, intent];
  const amount = minorOf(session, 'amount_total');
  const status = textAt(session, 'payment_status');
  const isTrial = status === 'no_payment_required' && subscriptionId !== undefined;
  const isPaid = status === 'paid' && amount.ok && amount.value.minor > 0n;
  if (!(isPaid || isTrial)) return stateLink({ sameMoney: aliases, subscriptionId, ...payer });
  return statePayment({
    ...{ id: intent ?? invoice ?? id, aliases, paidAt: at, recurring: false, subscriptionId },
    amount: isTrial ? readMinor(0, textAt(session, 'currency')) : amount,
    twin: isPaid && intent === undefined ? 'bill' : undefined,
    ...payer,
  });
}

/** A trial is a payment of 0. Its invoice says the same, if the webhook sends invoices. */
export function translateSubscription(subscription: JsonObject): Translation {
  const payer = { ...payerOf(subscription), subscriptionId: textAt(subscription, 'id') };
  const item = listAt(subscription, 'items', 'data')[0];
  const currency = textAt(subscription, 'currency') ?? textAt(item, 'price', 'currency');
  const amount = readMinor(0, currency);
  const paidAt = readSeconds(subscription.trial_start);
  const id = idAt(subscription, 'latest_invoice');
  const isTrial = textAt(subscription, 'status') === 'trialing' && paidAt !== undefined;
  if (!isTrial || !amount.ok || id === undefined) return stateLink(payer);
  return statePayment({ id, amount, paidAt, recurring: false, ...payer });
}

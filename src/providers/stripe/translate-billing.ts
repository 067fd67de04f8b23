import { readMinor } from '../amounts.ts';
import type { LinkFact, Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import { findVisitorId } from '../visitor-id.ts';
import {
  amountAt,
  facts,
  failed,
  type Happened,
  idAt,
  idsOf,
  ignored,
  payerOf,
  payment,
  timeAt,
} from './objects.ts';

/** A paid invoice: a payment, or the start of a trial. */
export function translateInvoice({ object, at }: Happened): Translation {
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

/** The link between an invoice and the money that paid it. */
export function translateInvoicePayment({ object }: Happened): Translation {
  const sameMoney = idsOf(idAt(object, 'invoice'), toPaidWith(object));
  return sameMoney.length === 2
    ? facts({ fact: 'link', sameMoney })
    : ignored('It names no payment.');
}

/** A completed Checkout: who paid, and often the payment. */
export function translateCheckout({ object, at }: Happened): Translation {
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

/** A trial is a payment of 0. Its invoice says the same, if the webhook sends invoices. */
export function translateSubscription({ object, at }: Happened): Translation {
  const subscriptionId = textAt(object, 'id');
  if (subscriptionId === undefined) return failed('its id is missing');
  const visitorId = findVisitorId(object.metadata);
  const customerId = idAt(object, 'customer');
  const link: LinkFact = { fact: 'link', subscriptionId, customerId, visitorId };
  const trialStart = timeAt(object, 'trial_start');
  const zero = readMinor(0, textAt(object, 'currency') ?? currencyOfItems(object));
  const isTrial = textAt(object, 'status') === 'trialing' && trialStart !== undefined;
  const invoice = idAt(object, 'latest_invoice');
  if (!isTrial || !zero.ok || invoice === undefined) return facts(link);
  const paidAt = trialStart ?? at;
  const trial = { id: invoice, amount: zero.value, paidAt, recurring: false, subscriptionId };
  return facts({ fact: 'payment', ...trial, customerId, visitorId });
}

function currencyOfItems(subscription: JsonObject): string | undefined {
  return textAt(listAt(subscription, 'items', 'data')[0], 'price', 'currency');
}

/** A line says "1 × Tea (at €9.00 / month)". */
function toProduct(line: string | undefined): string | undefined {
  return line?.replace(/^\d+ × /, '').replace(/ \(at .+\)$/, '');
}

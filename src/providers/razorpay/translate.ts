import { HOUR_MS } from '#domain/time/durations.ts';
import { readMinor } from '../amounts.ts';
import type { DisputeFact, Translation } from '../facts.ts';
import { type JsonObject, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { rateBetween } from '../rates.ts';
import {
  failed,
  ignored,
  join,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readSeconds } from '../times.ts';
import { findAttached } from '../visitor-id.ts';

/** What an event of Razorpay states. Amounts are whole minor units of ISO 4217; the money is the payment. */
export function translateRazorpay({ type, body }: ProviderEvent): Translation {
  const entities = objectAt(body, 'payload');
  if (entities === undefined) return failed('It has no payload.');
  const entity = (name: string) => objectAt(entities, name, 'entity');
  const payment = entity('payment');
  const at = readSeconds(body.created_at);
  if (PAID.has(type)) return translatePaid(type, payment, entity);
  if (type === 'refund.processed') return translateRefund(entity('refund'), 'done');
  if (type === 'refund.failed') return translateRefund(entity('refund'), 'undone');
  if (type.startsWith('payment.dispute.')) {
    return translateDispute(entity('dispute'), at);
  }
  if (type.startsWith('subscription.')) {
    return translateSubscription(type, entity('subscription'), payment, at);
  }
  return OTHERS.test(type) ? ignored('It moves no money yet.') : { kind: 'unknown' };
}

/** Events that state one payment, from four sides. */
const PAID = new Set(['payment.captured', 'order.paid', 'invoice.paid', 'subscription.charged']);

function translatePaid(
  type: string,
  payment: JsonObject | undefined,
  entity: (name: string) => JsonObject | undefined,
): Translation {
  if (payment === undefined) return ignored('It was not paid through Razorpay.');
  const subscription = entity('subscription');
  const subscriptionId = textAt(subscription, 'id') ?? textAt(entity('invoice'), 'subscription_id');
  const isRenewal = Number(subscription?.paid_count) > 1;
  const recurring = type === 'invoice.paid' && subscriptionId ? 'unless_first' : isRenewal;
  return toPayment(payment, {
    ...{ recurring, subscriptionId },
    ...findAttached(payment.notes, subscription?.notes, entity('order')?.notes),
    customerId: textAt(subscription, 'customer_id'),
  });
}

/** A payment that was captured. */
export function translatePayment(payment: JsonObject): Translation {
  const status = textAt(payment, 'status');
  if (status !== 'captured' && status !== 'refunded') return ignored('It is not captured.');
  // What belongs to a subscription is told by its invoices.
  return toPayment(payment, { recurring: false, ...findAttached(payment.notes) });
}

type More = Pick<Parameters<typeof statePayment>[0], 'recurring' | 'visitorId' | 'site'> & {
  readonly subscriptionId?: string | undefined;
  readonly customerId?: string | undefined;
};

function toPayment(payment: JsonObject, more: More): Translation {
  const amount = readMinor(payment.amount, textAt(payment, 'currency'));
  // Rupees, of a payment from abroad.
  const base = readMinor(payment.base_amount, textAt(payment, 'base_currency') ?? 'INR');
  return statePayment({
    ...more,
    id: textAt(payment, 'id'),
    aliases: [textAt(payment, 'order_id'), textAt(payment, 'invoice_id')],
    amount,
    rate: rateBetween(amount, base),
    paidAt: readSeconds(payment.created_at),
    orderId: textAt(payment, 'order_id'),
    product: textAt(payment, 'description'),
    customerId: textAt(payment, 'customer_id') ?? more.customerId,
    email: emailOf(payment),
    name: textAt(payment, 'card', 'name'),
  });
}

/** A refund that was made or failed. */
export function translateRefund(
  refund: JsonObject | undefined,
  state: 'done' | 'undone',
): Translation {
  return stateRefund({
    id: textAt(refund, 'id'),
    of: textAt(refund, 'payment_id'),
    amount: readMinor(refund?.amount, textAt(refund, 'currency')),
    at: readSeconds(refund?.created_at),
    state,
  });
}

/** A dispute: what was deducted counts once it is lost. */
export function translateDispute(dispute: JsonObject | undefined, changedAt?: number): Translation {
  const deducted = Number(dispute?.amount_deducted) > 0;
  const status = textAt(dispute, 'status') ?? '';
  const state = STATES.get(status) ?? (deducted ? 'lost' : 'won');
  const amount = deducted && state === 'lost' ? dispute?.amount_deducted : dispute?.amount;
  return stateDispute({
    id: textAt(dispute, 'id'),
    of: textAt(dispute, 'payment_id'),
    amount: readMinor(amount, textAt(dispute, 'currency')),
    at: changedAt ?? readSeconds(dispute?.created_at),
    state,
  });
}

/** A dispute that was `closed` is neither: what was deducted decides. */
const STATES: ReadonlyMap<string, DisputeFact['state']> = new Map([
  ['open', 'open'],
  ['under_review', 'open'],
  ['action_required', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
]);

/** A subscription. Authorized before it starts, it begins with a trial. */
export function translateSubscription(
  type: string,
  subscription: JsonObject | undefined,
  payment?: JsonObject,
  at?: number,
): Translation {
  const subscriptionId = textAt(subscription, 'id');
  const payer = {
    ...findAttached(subscription?.notes),
    customerId: textAt(subscription, 'customer_id'),
    email: emailOf(payment),
  };
  const link = stateLink({ subscriptionId, ...payer });
  const startsAt = readSeconds(subscription?.start_at);
  if (type !== 'subscription.authenticated' || !startsAt || !at || startsAt < at + HOUR_MS) {
    return link;
  }
  const trial = statePayment({
    ...{ id: subscriptionId && `trial:${subscriptionId}`, subscriptionId, recurring: false },
    // A subscription names no currency, and nothing is nothing in any.
    amount: readMinor(0, textAt(payment, 'currency') ?? 'INR'),
    ...{ paidAt: at, ...payer },
  });
  return join(trial, link);
}

/** Razorpay writes an address of its own where the buyer gave none. */
function emailOf(payment: JsonObject | undefined): string | undefined {
  const email = textAt(payment, 'email');
  return email === 'void@razorpay.com' ? undefined : email;
}

const OTHERS =
  /^(?:account|fund_account|invoice|order|payment|payment_link|payout|refund|settlement|transaction|virtual_account|qr_code)\./;

import { readMinor } from '../amounts.ts';
import type { DisputeFact, Translation } from '../facts.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../json.ts';
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
import { readIso } from '../times.ts';
import { findAttached } from '../visitor-id.ts';

/** What an event of Dodo Payments states. Amounts are whole minor units of ISO 4217. */
export function translateDodo({ type, body }: ProviderEvent): Translation {
  const data = objectAt(body, 'data');
  if (data === undefined) return failed('It has no data.');
  if (type === 'payment.succeeded') return translatePayment(data);
  if (type.startsWith('payment.')) return ignored('A payment counts once it succeeded.');
  if (type === 'refund.succeeded' || type === 'refund.failed') {
    return translateRefund({ ...data, status: type.slice('refund.'.length) });
  }
  if (type.startsWith('dispute.')) {
    const at = readIso(body.timestamp);
    return translateDispute({ ...data, dispute_status: type.replace('.', '_') }, at);
  }
  if (type.startsWith('subscription.')) return translateSubscription(data);
  return OTHERS.test(type) ? ignored('It is about neither money nor payers.') : { kind: 'unknown' };
}

/** A payment that succeeded. */
export function translatePayment(data: JsonObject): Translation {
  if (data.is_update_payment_method === true) return ignored('It changes how one pays.');
  const subscriptionId =
    textAt(data, 'subscription_id') ?? textAt(listAt(data, 'subscription_ids')[0]);
  const amount = readMinor(data.total_amount, textAt(data, 'currency'));
  const settled = readMinor(data.settlement_amount, textAt(data, 'settlement_currency'));
  const isZero = amount.ok && amount.value.minor === 0n;
  if (isZero && subscriptionId === undefined) return ignored('Nothing was charged.');
  return statePayment({
    id: textAt(data, 'payment_id'),
    aliases: [textAt(data, 'checkout_session_id'), isZero ? `trial:${subscriptionId}` : undefined],
    amount,
    rate: rateBetween(amount, settled),
    paidAt: readIso(data.created_at),
    recurring: subscriptionId === undefined ? false : 'unless_first',
    subscriptionId,
    ...payerOf(data),
  });
}

/** A refund that succeeded or failed. */
export function translateRefund(data: JsonObject): Translation {
  const status = textAt(data, 'status');
  if (status !== 'succeeded' && status !== 'failed') return ignored('The refund is not made yet.');
  return stateRefund({
    id: textAt(data, 'refund_id'),
    of: textAt(data, 'payment_id'),
    amount: readMinor(data.amount, textAt(data, 'currency')),
    at: readIso(data.created_at),
    state: status === 'succeeded' ? 'done' : 'undone',
  });
}

const DISPUTE_STATES: ReadonlyMap<string, DisputeFact['state']> = new Map([
  ['dispute_opened', 'open'],
  ['dispute_challenged', 'open'],
  ['dispute_won', 'won'],
  ['dispute_cancelled', 'won'],
  ['dispute_lost', 'lost'],
  ['dispute_accepted', 'lost'],
  ['dispute_expired', 'lost'],
]);

/** A dispute. Its amount's unit is not documented, so it is the whole payment. */
export function translateDispute(data: JsonObject, changedAt?: number): Translation {
  const state = DISPUTE_STATES.get(textAt(data, 'dispute_status') ?? '');
  if (state === undefined) return { kind: 'unknown' };
  return stateDispute({
    id: textAt(data, 'dispute_id'),
    of: textAt(data, 'payment_id'),
    at: changedAt ?? readIso(data.created_at),
    state,
  });
}

/** A subscription, and its trial if it has one. It does not say what was charged. */
export function translateSubscription(data: JsonObject): Translation {
  const subscriptionId = textAt(data, 'subscription_id');
  const link = stateLink({ subscriptionId, ...payerOf(data) });
  if (!(Number(data.trial_period_days) > 0) || subscriptionId === undefined) return link;
  const trial = statePayment({
    id: `trial:${subscriptionId}`,
    amount: readMinor(0, textAt(data, 'currency')),
    paidAt: readIso(data.created_at),
    recurring: false,
    subscriptionId,
    ...payerOf(data),
  });
  return join(trial, link);
}

function payerOf(data: JsonObject) {
  return {
    ...findAttached(data.metadata),
    customerId: textAt(data, 'customer', 'customer_id'),
    email: textAt(data, 'customer', 'email'),
    name: textAt(data, 'customer', 'name'),
  };
}

const OTHERS =
  /^(?:abandoned_checkout|credit|customer|dunning|entitlement|entitlement_grant|license_key|payout)\./;

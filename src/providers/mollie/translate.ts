import { readMajor } from '../amounts.ts';
import type { RefundFact, Translation } from '../facts.ts';
import { type JsonObject, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { failed, ignored, stateDispute, statePayment, stateRefund } from '../state-facts.ts';
import { readIso } from '../times.ts';
import { findAttached } from '../visitor-id.ts';

/** What an event of Mollie states. Amounts are decimal texts. */
export function translateMollie({ type, body }: ProviderEvent): Translation {
  const isEvent = textAt(body, 'resource') === 'event';
  const entity = isEvent ? objectAt(body, '_embedded', 'entity') : body;
  if (!KNOWN.test(type)) {
    return OTHERS.test(type) ? ignored('It moves no money.') : { kind: 'unknown' };
  }
  if (entity === undefined) return findPayment(type, textAt(body, 'entityId'));
  switch (textAt(entity, 'resource')) {
    case 'payment':
      return translatePayment(entity);
    case 'refund':
      return translateRefund(entity, type);
    case 'chargeback':
      return translateChargeback(entity);
    default:
      return { kind: 'unknown' };
  }
}

/** A paid payment. The first of a subscription may be nothing but a mandate. */
export function translatePayment(payment: JsonObject): Translation {
  if (textAt(payment, 'status') !== 'paid') return ignored('A payment counts once it is paid.');
  const sequence = textAt(payment, 'sequenceType');
  const amount = amountOf(payment);
  if (amount.ok && amount.value.minor === 0n && sequence !== 'first') {
    return ignored('Nothing was charged.');
  }
  return statePayment({
    id: textAt(payment, 'id'),
    amount,
    paidAt: readIso(payment.paidAt) ?? readIso(payment.createdAt),
    recurring: sequence === 'recurring',
    subscriptionId: textAt(payment, 'subscriptionId'),
    orderId: textAt(payment, 'orderId'),
    product: textAt(payment, 'description'),
    ...findAttached(payment.metadata),
    customerId: textAt(payment, 'customerId'),
    email: textAt(payment, 'billingAddress', 'email'),
    name: textAt(payment, 'details', 'consumerName'),
  });
}

const REFUND_STATES: ReadonlyMap<string, RefundFact['state']> = new Map([
  ['refunded', 'done'],
  ['failed', 'undone'],
  ['canceled', 'undone'],
]);

/** A refund that was made, failed or was canceled. */
export function translateRefund(refund: JsonObject, type = ''): Translation {
  const status = type.startsWith('refund.') ? type.slice(7) : textAt(refund, 'status');
  const state = REFUND_STATES.get(status ?? '');
  if (state === undefined) return ignored('The refund is not made yet.');
  return stateRefund({
    id: textAt(refund, 'id'),
    of: textAt(refund, 'paymentId'),
    amount: amountOf(refund),
    at: readIso(refund.createdAt),
    state,
  });
}

/** A chargeback takes the money at once. Reversed, it brings it back. */
export function translateChargeback(chargeback: JsonObject): Translation {
  const reversedAt = readIso(chargeback.reversedAt);
  return stateDispute({
    id: textAt(chargeback, 'id'),
    of: textAt(chargeback, 'paymentId'),
    amount: amountOf(chargeback),
    at: reversedAt ?? readIso(chargeback.createdAt),
    state: reversedAt === undefined ? 'lost' : 'won',
  });
}

function amountOf(object: JsonObject) {
  return readMajor(objectAt(object, 'amount')?.value, textAt(object, 'amount', 'currency'));
}

/** An event that only names its object. Refunds and chargebacks are only found below their payment. */
function findPayment(type: string, id: string | undefined): Translation {
  const without =
    'This event only names its object. Choose the snapshot payload for the webhook in Mollie, or add an API key.';
  const isPayment = type.startsWith('payment.') && id !== undefined && /^\w+$/.test(id);
  return isPayment
    ? { kind: 'fetch', list: 'payments', path: `/v2/payments/${id}`, without }
    : failed(without);
}

const KNOWN = /^(?:payment|refund|chargeback)\./;
const OTHERS =
  /^(?:balance|balance-transaction|business-account-transfer|capture|connect-balance-transfer|hook|payment-link|payout|profile|sales-invoice|settlement|subscription|webhook)\./;

import { hundredths, readMinor } from '../amounts.ts';
import type { Translation } from '../facts.ts';
import { type JsonObject, objectAt, parseExactJson, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import {
  failed,
  ignored,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readIso } from '../times.ts';
import { findAttached } from '../visitor-id.ts';

/** What an event of Paystack states. Amounts are hundredths. The id of money is its reference. */
export function translatePaystack({ type, body, receivedAt }: ProviderEvent): Translation {
  const data = objectAt(body, 'data');
  if (data === undefined) return failed('It has no data.');
  if (type === 'charge.success') return translateCharge(data);
  if (type === 'refund.processed') return translateRefund(data, 'done', receivedAt);
  if (type === 'refund.failed') return translateRefund(data, 'undone', receivedAt);
  if (type.startsWith('refund.')) return ignored('The refund is not made yet.');
  if (type.startsWith('charge.dispute.')) return translateDispute(data, receivedAt);
  if (type === 'subscription.create') return translateSubscription(data);
  if (type === 'invoice.update') return translateInvoice(data);
  return OTHERS.test(type) ? ignored('It is about neither money nor payers.') : { kind: 'unknown' };
}

/** A successful charge. What Paystack charged by itself says so in its metadata. */
export function translateCharge(data: JsonObject): Translation {
  const amount = amountOf(data);
  if (amount.ok && amount.value.minor === 0n) return ignored('Nothing was charged.');
  return statePayment({
    id: textAt(data, 'reference'),
    aliases: [textAt(data, 'id')],
    amount,
    paidAt: readIso(data.paid_at) ?? readIso(data.paidAt) ?? readIso(data.created_at),
    recurring: isMadeByPaystack(data),
    product: textAt(data, 'plan', 'name'),
    ...findAttached(data.metadata),
    ...payerOf(data),
  });
}

/** A refund, which says neither its own time nor always its own id. */
function translateRefund(
  data: JsonObject,
  state: 'done' | 'undone',
  receivedAt: number,
): Translation {
  const of = textAt(data, 'transaction_reference');
  const id = textAt(data, 'refund_reference') ?? textAt(data, 'id');
  return stateRefund({
    id: id ?? (of && `refund:${of}:${textAt(data, 'amount')}`),
    of,
    amount: amountOf(data),
    at: readIso(data.refunded_at) ?? receivedAt,
    state,
  });
}

/**
 * A refund of the list, which names its transaction by number and itself by an id that events do not have: so its
 * amount is at least what was given back. Refunds for disputes are the dispute's.
 */
export function translateListedRefund(refund: JsonObject): Translation {
  if (textAt(refund, 'status') !== 'processed') return ignored('It is not made yet.');
  if (textAt(refund, 'dispute') !== undefined) return ignored('It is part of a dispute.');
  const of = textAt(refund, 'transaction') ?? textAt(refund, 'transaction', 'id');
  const at = readIso(refund.refunded_at) ?? readIso(refund.createdAt);
  return stateRefund({ id: of, of, amount: amountOf(refund), at, state: 'done' });
}

/** A dispute. Accepted by the merchant, or not answered in time, it is lost. */
export function translateDispute(data: JsonObject, receivedAt?: number): Translation {
  const resolution = textAt(data, 'resolution');
  const isResolved = textAt(data, 'status') === 'resolved';
  const isLost = resolution?.endsWith('accepted') === true;
  const asked = textAt(data, 'refund_amount');
  const currency = textAt(data, 'currency') ?? textAt(data, 'transaction', 'currency');
  return stateDispute({
    id: textAt(data, 'id'),
    of: textAt(data, 'transaction', 'reference'),
    amount: asked === undefined ? undefined : readMinor(asked, currency, hundredths),
    at: readIso(data.resolvedAt) ?? readIso(data.createdAt) ?? receivedAt,
    state: isResolved ? (isLost ? 'lost' : 'won') : 'open',
  });
}

/** A subscription and whose it is. Its charges name it only in their invoices. */
export function translateSubscription(data: JsonObject): Translation {
  return stateLink({ subscriptionId: textAt(data, 'subscription_code'), ...payerOf(data) });
}

function translateInvoice(data: JsonObject): Translation {
  return stateLink({
    sameMoney: [textAt(data, 'transaction', 'reference')],
    subscriptionId: textAt(data, 'subscription', 'subscription_code'),
    ...payerOf(data),
  });
}

function payerOf(data: JsonObject) {
  const names = [textAt(data, 'customer', 'first_name'), textAt(data, 'customer', 'last_name')];
  return {
    customerId: textAt(data, 'customer', 'customer_code'),
    email: textAt(data, 'customer', 'email'),
    name: names.filter((name) => name !== undefined).join(' '),
  };
}

function amountOf(data: JsonObject) {
  return readMinor(data.amount, textAt(data, 'currency'), hundredths);
}

/** Metadata is an object, its JSON text, or an empty text. */
function isMadeByPaystack({ metadata }: JsonObject): boolean {
  if (typeof metadata !== 'string') return textAt(metadata, 'invoice_action') !== undefined;
  try {
    return textAt(parseExactJson(metadata), 'invoice_action') !== undefined;
  } catch {
    return false;
  }
}

const OTHERS =
  /^(?:bank|charge|customer|customeridentification|dedicatedaccount|invoice|paymentrequest|subscription|transfer)\./;

import { readMinor } from '../amounts.ts';
import type { Translation } from '../facts.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import { readRate } from '../rates.ts';
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

/** What an event of Paddle Billing states. Amounts are texts of whole minor units. */
export function translatePaddle({ type, body }: ProviderEvent): Translation {
  const data = objectAt(body, 'data');
  if (data === undefined) return failed('It has no data.');
  if (type === 'transaction.completed') return translateTransaction(data);
  if (type.startsWith('adjustment.')) return translateAdjustment(data);
  if (type.startsWith('customer.')) return translateCustomer(data);
  if (type.startsWith('subscription.')) return translateSubscription(data);
  if (type.startsWith('transaction.')) return ignored('A payment counts once it is completed.');
  return OTHERS.test(type) ? ignored('It is about neither money nor people.') : { kind: 'unknown' };
}

/** A completed transaction. */
export function translateTransaction(data: JsonObject): Translation {
  const origin = textAt(data, 'origin');
  if (origin === 'subscription_payment_method_change') {
    return ignored('It changes how a subscription is paid.');
  }
  const items = listAt(data, 'items');
  const currency = textAt(data, 'currency_code');
  const amount = readMinor(objectAt(data, 'details', 'totals')?.grand_total, currency);
  const isTrial = items.some((item) => objectAt(item, 'price', 'trial_period') !== undefined);
  const isFirst = !origin?.startsWith('subscription_');
  if (amount.ok && amount.value.minor === 0n && !(isTrial && isFirst))
    return ignored('Nothing was charged.');
  const lines = listAt(data, 'details', 'line_items');
  const payout = objectAt(data, 'details', 'payout_totals');
  return statePayment({
    id: textAt(data, 'id'),
    amount,
    paidAt: readIso(data.billed_at) ?? readIso(data.created_at),
    recurring: origin === 'subscription_recurring',
    subscriptionId: textAt(data, 'subscription_id'),
    product: textAt(lines[0], 'product', 'name') ?? textAt(items[0], 'price', 'name'),
    rate: readRate(amount, textAt(payout, 'currency_code'), payout?.exchange_rate),
    ...findAttached(data.custom_data),
    customerId: textAt(data, 'customer_id'),
    email: textAt(data, 'customer', 'email'),
    name: textAt(data, 'customer', 'name'),
  });
}

/** A refund or a chargeback. Credits stay with Paddle, and warnings move nothing. */
export function translateAdjustment(data: JsonObject): Translation {
  const action = textAt(data, 'action');
  const status = textAt(data, 'status');
  if (status === 'pending_approval') return ignored('It waits for approval.');
  const of = textAt(data, 'transaction_id');
  const amount = readMinor(objectAt(data, 'totals')?.total, textAt(data, 'currency_code'));
  const at = readIso(data.created_at);
  const isApproved = status === 'approved';
  switch (action) {
    case 'refund':
      return stateRefund({
        ...{ id: textAt(data, 'id'), of, amount, at },
        state: isApproved ? 'done' : 'undone',
      });
    case 'chargeback':
    case 'chargeback_reverse': {
      // The two are objects of their own, so what they share is the payment.
      const isTaken = (action === 'chargeback') === isApproved;
      const state = isTaken ? 'lost' : 'won';
      return stateDispute({ id: of && `chargeback:${of}`, of, amount, at, state });
    }
    default:
      return ignored('It moves no money.');
  }
}

function translateCustomer(data: JsonObject): Translation {
  return stateLink({
    ...findAttached(data.custom_data),
    customerId: textAt(data, 'id'),
    email: textAt(data, 'email'),
    name: textAt(data, 'name'),
  });
}

function translateSubscription(data: JsonObject): Translation {
  return stateLink({
    sameMoney: [textAt(data, 'transaction_id')],
    subscriptionId: textAt(data, 'id'),
    ...findAttached(data.custom_data),
    customerId: textAt(data, 'customer_id'),
  });
}

const OTHERS =
  /^(?:address|api_key|business|client_token|discount|discount_group|payment_method|payout|price|product|report|simulation)\./;

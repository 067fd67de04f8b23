import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, textAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { ignored, stateLink } from '../state-facts.ts';
import {
  translateDispute,
  translatePayment,
  translateRefund,
  translateSubscription,
} from './translate.ts';

/** The most that a page holds. */
const COUNT = 100;

const LISTS: Readonly<Record<string, (each: JsonObject) => Translation>> = {
  subscriptions: (each) => translateSubscription('', each),
  invoices: translateInvoice,
  payments: translatePayment,
  refunds: translateListedRefund,
  disputes: (each) => translateDispute(each),
};

/** Razorpay's history. Its API key is written as id and secret, with a colon between them. */
export const razorpayBackfill: Backfill = {
  findBaseUrl: () => 'https://api.razorpay.com',
  lists: Object.keys(LISTS),
  request: ({ list, since, until, cursor = '0' }, { apiKey = '' }) => {
    const query = new URLSearchParams({
      from: String(Math.floor(since / 1_000)),
      to: String(Math.ceil(until / 1_000)),
      count: String(COUNT),
      skip: cursor,
    });
    const authorization = `Basic ${Buffer.from(apiKey).toString('base64')}`;
    return { path: `/v1/${list}?${query}`, headers: { authorization } };
  },
  read: ({ list, cursor = '0' }, answer) => {
    const items = listAt(answer, 'items').filter(isObject);
    const translate = LISTS[list];
    return {
      translations: translate === undefined ? [] : items.map((each) => translate(each)),
      cursor: items.length > 0 ? String(Number(cursor) + items.length) : undefined,
    };
  },
};

/** Which subscription a payment belongs to. */
function translateInvoice(invoice: JsonObject): Translation {
  return stateLink({
    sameMoney: [textAt(invoice, 'payment_id')],
    subscriptionId: textAt(invoice, 'subscription_id'),
    customerId: textAt(invoice, 'customer_id'),
  });
}

function translateListedRefund(refund: JsonObject): Translation {
  const status = textAt(refund, 'status');
  if (status === 'processed') return translateRefund(refund, 'done');
  return status === 'failed' ? translateRefund(refund, 'undone') : ignored('It is not made yet.');
}

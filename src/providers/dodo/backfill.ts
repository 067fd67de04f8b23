import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import {
  translateDispute,
  translatePayment,
  translateRefund,
  translateSubscription,
} from './translate.ts';

/** The most that a page holds. */
const PAGE_SIZE = 100;

const LISTS: Readonly<Record<string, (each: JsonObject) => Translation>> = {
  subscriptions: translateSubscription,
  payments: translatePayment,
  refunds: translateRefund,
  disputes: (each) => translateDispute(each),
};

/** The history of Dodo Payments. */
export const dodoBackfill: Backfill = {
  findBaseUrl: () => 'https://live.dodopayments.com',
  lists: Object.keys(LISTS),
  request: ({ list, since, cursor = '0' }, { apiKey }) => {
    const query = new URLSearchParams({
      created_at_gte: new Date(since).toISOString(),
      page_number: cursor,
      page_size: String(PAGE_SIZE),
    });
    if (list === 'payments') query.set('status', 'succeeded');
    return { path: `/${list}?${query}`, headers: { authorization: `Bearer ${apiKey}` } };
  },
  read: ({ list, cursor = '0' }, answer) => {
    const items = listAt(answer, 'items').filter(isObject);
    const translate = LISTS[list];
    return {
      translations: translate === undefined ? [] : items.map((each) => translate(each)),
      cursor: items.length > 0 ? String(Number(cursor) + 1) : undefined,
    };
  },
};

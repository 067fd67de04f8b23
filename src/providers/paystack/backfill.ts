import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import {
  translateCharge,
  translateDispute,
  translateListedRefund,
  translateSubscription,
} from './translate.ts';

const PER_PAGE = '100';

const LISTS: Readonly<Record<string, (each: JsonObject) => Translation>> = {
  subscription: translateSubscription,
  transaction: translateCharge,
  refund: translateListedRefund,
  dispute: (each) => translateDispute(each),
};

/** Paystack's history. Its key is the secret that it signs with. */
export const paystackBackfill: Backfill = {
  findBaseUrl: () => 'https://api.paystack.co',
  isKeySigningSecret: true,
  undated: ['subscription'],
  lists: Object.keys(LISTS),
  request: ({ list, since, until, cursor = '1' }, { apiKey, signingSecrets }) => {
    const query = new URLSearchParams({ perPage: PER_PAGE, page: cursor });
    if (list !== 'subscription') {
      query.set('from', new Date(since).toISOString());
      query.set('to', new Date(until).toISOString());
    }
    if (list === 'transaction') query.set('status', 'success');
    const authorization = `Bearer ${apiKey ?? signingSecrets[0]}`;
    return { path: `/${list}?${query}`, headers: { authorization } };
  },
  read: ({ list, cursor = '1' }, answer) => {
    const objects = listAt(answer, 'data').filter(isObject);
    const pageCount = Number(objectAt(answer, 'meta')?.pageCount);
    const translate = LISTS[list];
    return {
      translations: translate === undefined ? [] : objects.map((each) => translate(each)),
      cursor:
        objects.length > 0 && pageCount > Number(cursor) ? String(Number(cursor) + 1) : undefined,
    };
  },
};

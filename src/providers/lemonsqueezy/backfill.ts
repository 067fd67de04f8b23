import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { readIso } from '../times.ts';
import { translateBasket, translateInvoice, translateSubscription } from './translate.ts';

const LISTS: Readonly<Record<string, (each: JsonObject) => Translation>> = {
  subscriptions: (each) => translateSubscription(each, undefined, isOnTrial(each)),
  orders: (each) => translateBasket(each),
  'subscription-invoices': (each) => translateInvoice(each),
};

/** The history of Lemon Squeezy. Its lists carry no custom data: payers are found by customer and e-mail. */
export const lemonSqueezyBackfill: Backfill = {
  findBaseUrl: () => 'https://api.lemonsqueezy.com',
  undated: ['subscriptions'],
  lists: Object.keys(LISTS),
  request: ({ list, cursor = '1' }, { apiKey, settings }) => {
    const query = new URLSearchParams({ 'page[number]': cursor, 'page[size]': '100' });
    if (settings.store_id) query.set('filter[store_id]', settings.store_id);
    return {
      path: `/v1/${list}?${query}`,
      headers: { authorization: `Bearer ${apiKey}`, accept: 'application/vnd.api+json' },
    };
  },
  read: ({ list, since, cursor = '1' }, answer) => {
    const objects = listAt(answer, 'data').filter(isObject);
    const lastPage = Number(objectAt(answer, 'meta', 'page')?.lastPage);
    // The newest come first, and no list can be asked for by time. Old subscriptions have new invoices.
    const isOver = list !== 'subscriptions' && isBefore(objects.at(-1), since);
    const translate = LISTS[list];
    return {
      translations: translate === undefined ? [] : objects.map((each) => translate(each)),
      cursor: lastPage > Number(cursor) && !isOver ? String(Number(cursor) + 1) : undefined,
    };
  },
};

function isOnTrial(subscription: JsonObject): boolean {
  return objectAt(subscription, 'attributes')?.status === 'on_trial';
}

function isBefore(object: JsonObject | undefined, since: number): boolean {
  const createdAt = readIso(objectAt(object, 'attributes')?.created_at);
  return createdAt !== undefined && createdAt < since;
}

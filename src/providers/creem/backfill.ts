import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { readMillis } from '../times.ts';
import { translateSubscription, translateTransaction } from './translate.ts';

/** Creem's history: subscriptions with what they carry, then transactions, which carry nothing. */
export const creemBackfill: Backfill = {
  findBaseUrl: ({ apiKey }) =>
    apiKey?.startsWith('creem_test_') ? 'https://test-api.creem.io' : 'https://api.creem.io',
  undated: ['subscriptions'],
  lists: ['subscriptions', 'transactions'],
  request: ({ list, cursor = '1' }, { apiKey = '' }) => ({
    path: `/v1/${list}/search?page_number=${cursor}&page_size=100`,
    headers: { 'x-api-key': apiKey },
  }),
  read: ({ list, since }, answer) => {
    // A transaction that was asked for by its id is no list.
    const items = listAt(answer, 'items').filter(isObject);
    const found = items.length === 0 && isObject(answer) && textAt(answer, 'id') ? [answer] : items;
    const translate = list === 'transactions' ? translateTransaction : translateSubscription;
    const isOver = list === 'transactions' && isBefore(items.at(-1), since);
    const next = textAt(objectAt(answer, 'pagination'), 'next_page');
    return { translations: found.map(translate), cursor: isOver ? undefined : next };
  },
};

/** The newest come first. */
function isBefore(item: JsonObject | undefined, since: number): boolean {
  const createdAt = readMillis(item?.created_at);
  return createdAt !== undefined && createdAt < since;
}

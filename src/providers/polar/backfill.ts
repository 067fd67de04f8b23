import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, objectAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { readIso } from '../times.ts';
import {
  translateDispute,
  translatePaid,
  translateRefund,
  translateSubscription,
} from './translate.ts';

const LIMIT = '100';

/** How each list is asked for and translated. Only orders can be asked for by time. */
const LISTS: Readonly<
  Record<string, { query: Record<string, string>; translate: (each: JsonObject) => Translation }>
> = {
  subscriptions: { query: { sorting: '-started_at' }, translate: translateSubscription },
  orders: { query: { sorting: 'created_at', status: 'paid' }, translate: translatePaid },
  refunds: { query: { sorting: '-created_at' }, translate: translateRefund },
  disputes: { query: { sorting: '-created_at' }, translate: translateDispute },
};

/** Polar's history. Its disputes are told here only. */
export const polarBackfill: Backfill = {
  findBaseUrl: () => 'https://api.polar.sh',
  undated: ['subscriptions'],
  lists: Object.keys(LISTS),
  permissionOf: (list) => `${list}:read`,
  request: ({ list, since, cursor = '1' }, { apiKey }) => {
    const query = new URLSearchParams({ limit: LIMIT, page: cursor, ...LISTS[list]?.query });
    if (list === 'orders') query.set('created_after', new Date(since).toISOString());
    return { path: `/v1/${list}/?${query}`, headers: { authorization: `Bearer ${apiKey}` } };
  },
  read: ({ list, since, cursor = '1' }, answer) => {
    const items = listAt(answer, 'items').filter(isObject);
    const translate = LISTS[list]?.translate;
    // The newest come first where a list cannot be asked for by time.
    const isOver = list !== 'orders' && list !== 'subscriptions' && isBefore(items.at(-1), since);
    const hasMore = Number(objectAt(answer, 'pagination')?.max_page) > Number(cursor);
    return {
      translations: translate === undefined ? [] : items.map(translate),
      cursor: hasMore && !isOver ? String(Number(cursor) + 1) : undefined,
    };
  },
};

function isBefore(item: JsonObject | undefined, since: number): boolean {
  const createdAt = readIso(item?.created_at);
  return createdAt !== undefined && createdAt < since;
}

import { isObject } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { translateBasket, translateSubscription } from './translate.ts';

const PER_PAGE = 100;

/** WooCommerce's history, by when orders changed. Its API key is written as key and secret, with a colon between. */
export const wooCommerceBackfill: Backfill = {
  findBaseUrl: ({ settings: { shop = '' } }) =>
    SHOP_URL.test(shop) ? shop.replace(/\/+$/, '') : undefined,
  lists: ['orders', 'subscriptions'],
  permissionOf: () => 'Read',
  request: ({ list, since, cursor = '1' }, { apiKey = '' }) => {
    const query = new URLSearchParams({
      modified_after: new Date(since).toISOString(),
      ...{ dates_are_gmt: 'true', order: 'asc', page: cursor, per_page: String(PER_PAGE) },
    });
    const authorization = `Basic ${Buffer.from(apiKey).toString('base64')}`;
    return { path: `/wp-json/wc/v3/${list}?${query}`, headers: { authorization } };
  },
  read: ({ list, cursor = '1' }, answer) => {
    const found = Array.isArray(answer) ? answer.filter(isObject) : [];
    const translate = list === 'orders' ? translateBasket : translateSubscription;
    return {
      translations: found.map(translate),
      cursor: found.length < PER_PAGE ? undefined : String(Number(cursor) + 1),
    };
  },
};

/** The address of a shop, which may be in a folder. */
export const SHOP_URL = /^https:\/\/[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/;

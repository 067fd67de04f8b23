import { isObject, listAt, textAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { translateListed } from './translate.ts';

/** Gumroad's history: sales since a day. */
export const gumroadBackfill: Backfill = {
  findBaseUrl: () => 'https://api.gumroad.com',
  lists: ['sales'],
  permissionOf: () => 'view_sales',
  request: ({ since, cursor }, { apiKey }) => {
    const query = new URLSearchParams({ after: new Date(since).toISOString().slice(0, 10) });
    if (cursor !== undefined) query.set('page_key', cursor);
    return { path: `/v2/sales?${query}`, headers: { authorization: `Bearer ${apiKey}` } };
  },
  read: (_page, answer) => ({
    translations: listAt(answer, 'sales').filter(isObject).map(translateListed),
    cursor: textAt(answer, 'next_page_key'),
  }),
};

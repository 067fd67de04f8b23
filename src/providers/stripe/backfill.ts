import { postForm } from '../form-request.ts';
import { isObject, listAt, textAt } from '../json.ts';
import type { Backfill, BackfillPage } from '../provider.ts';
import { readSeconds } from '../times.ts';
import { translateObject } from './translate.ts';

const VERSION = '2026-10-28.endive';

/** How each list is asked for, and the permission that it needs. */
const LISTS: Readonly<Record<string, readonly [query: string, permission: string]>> = {
  subscriptions: ['status=all', 'Subscriptions'],
  'checkout/sessions': ['status=complete', 'Checkout Sessions'],
  invoices: ['status=paid&expand[]=data.payments', 'Invoices'],
  charges: ['expand[]=data.balance_transaction', 'Charges and Refunds'],
  ...{ refunds: ['', 'Charges and Refunds'], disputes: ['', 'Disputes'] },
};

/** Stripe's history, newest first. */
export const stripeBackfill: Backfill = {
  findBaseUrl: () => 'https://api.stripe.com',
  lists: Object.keys(LISTS),
  permissionOf: (list) => LISTS[list]?.[1],
  request: (page, { apiKey, settings: { account } }) => ({
    path: `/v1/${page.list}?${queryOf(page)}`,
    headers: {
      ...{ authorization: `Bearer ${apiKey}`, 'stripe-version': VERSION },
      ...(account && { 'stripe-account': account }),
    },
  }),
  createWebhook(url, events, { apiKey, settings: { account } }) {
    if (account) return undefined;
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': url };
    const chosen = events.map((each) => ['enabled_events[]', each]);
    const fields = [['url', url], ['api_version', VERSION], ...chosen];
    return postForm('/v1/webhook_endpoints', headers, fields);
  },
  secretOfWebhook: 'secret',
  read: ({ list }, answer) => {
    const found = listAt(answer, 'data').filter(isObject);
    // What a thin event names is no list.
    const objects = isObject(answer) && textAt(answer, 'object') !== 'list' ? [answer] : found;
    return {
      translations: objects
        .filter(({ livemode }) => livemode !== false)
        .map((each) => translateObject(list, each, readSeconds(each.created))),
      cursor: isObject(answer) && answer.has_more === true ? textAt(found.at(-1), 'id') : undefined,
    };
  },
};

function queryOf({ list, since, cursor }: BackfillPage): URLSearchParams {
  const query = new URLSearchParams(LISTS[list]?.[0]);
  query.set('limit', '100');
  query.set('created[gte]', String(Math.floor(since / 1_000)));
  if (cursor !== undefined) query.set('starting_after', cursor);
  return query;
}

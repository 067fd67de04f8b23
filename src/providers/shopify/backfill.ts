import { isObject, listAt, objectAt, textAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { failed } from '../state-facts.ts';
import { translateNode } from './translate.ts';

const VERSION = '2026-07';

/** Orders that changed since a time, so that later refunds are found too. */
const QUERY = `query ($after: String, $filter: String) {
  orders(first: 100, after: $after, query: $filter, sortKey: UPDATED_AT) {
    nodes {
      legacyResourceId test sourceName createdAt processedAt email
      totalPriceSet { shopMoney { amount currencyCode } }
      customAttributes { key value }
      customer { legacyResourceId email displayName }
      transactions(first: 10) { kind status authorizationCode }
      lineItems(first: 1) { nodes { title } }
      refunds { legacyResourceId createdAt totalRefundedSet { shopMoney { amount currencyCode } } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

const PAID =
  '(financial_status:paid OR financial_status:partially_refunded OR financial_status:refunded)';

/** Shopify's history. Without the scope `read_all_orders`, it is that of the last 60 days. */
export const shopifyBackfill: Backfill = {
  findBaseUrl: ({ settings: { shop = '' } }) => (SHOP.test(shop) ? `https://${shop}` : undefined),
  lists: ['orders'],
  permissionOf: () => 'read_orders',
  // Since 2026, new apps have tokens for a day instead of lasting ones.
  login: ({ apiKey, signingSecrets, settings: { client_id } }) => {
    if (apiKey !== undefined || client_id === undefined) return undefined;
    const [client_secret = ''] = signingSecrets;
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    return {
      ...{ method: 'POST', path: '/admin/oauth/access_token' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams(form)}`,
    };
  },
  request: ({ since, cursor }, { apiKey = '' }) => {
    const filter = `updated_at:>='${new Date(since).toISOString()}' AND ${PAID}`;
    const variables = { after: cursor ?? null, filter };
    return {
      ...{ method: 'POST', path: `/admin/api/${VERSION}/graphql.json` },
      headers: { 'content-type': 'application/json', 'x-shopify-access-token': apiKey },
      body: JSON.stringify({ query: QUERY, variables }),
    };
  },
  read: (_page, answer) => {
    const fault = textAt(listAt(answer, 'errors')[0], 'message');
    if (fault !== undefined) return { translations: [failed(`Shopify answers: ${fault}`)], fault };
    const nodes = listAt(answer, 'data', 'orders', 'nodes').filter(isObject);
    const page = objectAt(answer, 'data', 'orders', 'pageInfo');
    return {
      translations: nodes.map(translateNode),
      cursor: page?.hasNextPage === true ? textAt(page, 'endCursor') : undefined,
    };
  },
};

/** The only hosts of shops. Source: Shopify's own advice for apps. */
export const SHOP = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

import assert from 'node:assert/strict';
import type { Caller } from '../../server/caller.ts';

/** The site whose history the docs query. */
export const TEA_SHOP = 'tea.example';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';

const NEWSLETTER = '?utm_source=newsletter&utm_campaign=spring';

/** Pages, goals and their visitors, in the autumn of 2025. */
const EVENTS = [
  page('greta', '2025-08-15T16:00:00Z', '/'),
  page('anna-laptop', '2025-09-01T10:00:00Z', '/pricing', { referrer: 'https://www.google.com/' }),
  page('anna-laptop', '2025-09-01T10:02:00Z', '/docs/start'),
  goal('anna-laptop', '2025-09-01T10:05:00Z', 'signup', { plan: 'pro' }),
  page('anna-phone', '2025-09-08T18:00:00Z', `/pricing${NEWSLETTER}`, {
    user_agent: PHONE,
  }),
  page('ben', '2025-09-10T09:00:00Z', '/docs/start', { referrer: 'https://www.google.com/' }),
  page('ben', '2025-09-10T09:01:00Z', '/pricing'),
  goal('ben', '2025-09-10T09:04:00Z', 'signup', { plan: 'team' }),
  page('cara', '2025-09-12T08:30:00Z', `/pricing${NEWSLETTER}`),
  page('dan', '2025-09-20T20:15:00Z', '/'),
  page('ben', '2025-10-06T09:00:00Z', '/docs/teams'),
  page('dan', '2025-10-07T07:45:00Z', '/pricing'),
];

const PAYMENTS = [
  {
    ...{ amount: 29, transaction_id: 'order-1', timestamp: '2025-09-15T12:00:00Z' },
    ...{ service_visitor_id: 'anna-laptop', email: 'anna@example.com', name: 'Anna Ek' },
    ...{ customer_id: 'cus_1', subscription_id: 'sub_1', product: 'Pro' },
  },
  {
    ...{ amount: 60, transaction_id: 'order-2', timestamp: '2025-09-10T09:10:00Z' },
    ...{ service_visitor_id: 'ben', customer_id: 'cus_2', subscription_id: 'sub_2' },
    product: 'Team',
  },
  {
    ...{ amount: 10, transaction_id: 'order-2', refunded: true },
    refunded_at: '2025-09-18T15:00:00Z',
  },
  {
    ...{ amount: 29, transaction_id: 'order-3', timestamp: '2025-10-15T12:00:00Z', renewal: true },
    ...{ customer_id: 'cus_1', subscription_id: 'sub_1', product: 'Pro' },
  },
];

/** Fills a new site with the small history behind the docs' examples. */
export async function openTeaShop(backend: Caller): Promise<void> {
  const accepted = await backend.post('/api/v1/events', { events: EVENTS });
  const whole = { status: 'success', accepted: EVENTS.length, dropped: [] };
  assert.deepEqual(accepted.body, whole);
  await succeeds(backend.pageview('finn', '/pricing?ref=bing.com'));
  for (const id of ['anna-laptop', 'anna-phone']) {
    await succeeds(backend.post('/api/v1/identify', { service_visitor_id: id, user_id: '42' }));
  }
  for (const payment of PAYMENTS) {
    await succeeds(backend.payment({ currency: 'EUR', ...payment }));
  }
}

async function succeeds(asked: Promise<{ readonly status: number }>): Promise<void> {
  assert.equal((await asked).status, 200);
}

function page(visitorId: string, at: string, path: string, more: Record<string, unknown> = {}) {
  return {
    ...{ site: TEA_SHOP, type: 'pageview', service_visitor_id: visitorId },
    ...{ url: `https://${TEA_SHOP}${path}`, occurred_at: Date.parse(at), user_agent: BROWSER },
    ...more,
  };
}

function goal(visitorId: string, at: string, name: string, metadata: Record<string, string>) {
  return {
    ...{ site: TEA_SHOP, type: 'goal', service_visitor_id: visitorId, name, metadata },
    occurred_at: Date.parse(at),
  };
}

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'reports.example';
const NOW = Date.now();
const PRICING = { type: 'page', path: '/pricing' };
const SIGNUP = { type: 'goal', name: 'signup' };

/**
 * What happened within the last hours, told through the API:
 *
 * ```
 * 3:00 ago  ann  from Google: / , a minute later /pricing, three later signup
 * 2:50      ann  pays 30.00, while that visit is open
 * 2:00      bob  directly: /pricing
 * 1:00      bea  from Bing: /pricing, two minutes later signup
 * 0:20      bea  pays 50.00 with the address that bob identifies with: they are one
 * ```
 */
describe('reports of a running server', () => {
  let tributary: TestServer;
  let caller: Caller;
  before(async () => {
    tributary = await shareServer();
    caller = await addCaller(tributary.url, tributary.dataDir, SITE);
    // A running server learns of a new site within a second.
    await waitUntil(
      () => send('ann', 180, '/', 'Google'),
      ({ status }) => status === 200,
    );
    await send('ann', 179, '/pricing');
    await send('ann', 177, 'signup');
    await send('bob', 120, '/pricing');
    await send('bea', 60, '/pricing', 'Bing');
    await send('bea', 58, 'signup');
    await pay({ transaction_id: 'r-1', amount: 30, service_visitor_id: 'ann' }, 170);
    await pay(
      { transaction_id: 'r-2', amount: 50, service_visitor_id: 'bea', email: 'b@b.example' },
      20,
    );
    const identified = { service_visitor_id: 'bob', user_id: 'b', email: 'b@b.example' };
    await caller.post('/api/v1/identify', identified);
    await waitUntil(
      () => ask<FunnelAnswer>('funnel', { steps: [PRICING, SIGNUP, { type: 'payment' }] }),
      ({ results: [all] }) => all?.steps.every(({ reached }) => reached === 2) === true,
    );
  });

  const at = (minutesAgo: number) => NOW - minutesAgo * MINUTE_MS;
  /** A page, or a goal if it does not start with a slash. */
  function send(visitor: string, minutesAgo: number, what: string, source?: string) {
    const url = new URL(what.startsWith('/') ? what : '/pricing', `https://${SITE}`);
    if (source !== undefined) url.searchParams.set('utm_source', source);
    return caller.post('/api/v1/events', {
      ...{ site: SITE, service_visitor_id: visitor, url: url.href, occurred_at: at(minutesAgo) },
      ...(what.startsWith('/') ? { type: 'pageview' } : { type: 'goal', name: what }),
    });
  }
  async function pay(payment: object, minutesAgo: number): Promise<void> {
    await caller.payment({
      currency: 'USD',
      timestamp: new Date(at(minutesAgo)).toISOString(),
      ...payment,
    });
  }
  async function ask<Answer>(query: string, asked: object): Promise<Answer> {
    const { status, body } = await caller.post(`/api/v1/query/${query}`, {
      ...{ site_id: SITE, date_range: '2d', ...asked },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body as Answer;
  }

  it('count a funnel by person', async () => {
    const { results } = await ask<FunnelAnswer>('funnel', {
      steps: [PRICING, SIGNUP, { type: 'payment' }],
      dimensions: ['visit:source'],
    });
    assert.deepEqual(
      results.map(({ dimensions: [source], steps, revenue }) => [
        source,
        ...steps.map(({ reached, median_seconds }) => [reached, median_seconds]),
        revenue.value,
      ]),
      [
        // Bob came first; as bea he signed up an hour later, and paid 38 minutes after that.
        ['Direct', [1, null], [1, 3_720], [1, 2_280], '50.00'],
        ['Google', [1, null], [1, 120], [1, 420], '30.00'],
      ],
    );
  });

  it('lead a journey to a payment in its visit', async () => {
    const { results } = await ask<JourneysAnswer>('journeys', { to: { type: 'payment' } });
    assert.deepEqual(
      results.map(({ path, reached, revenue }) => [
        path.map(({ path, name }) => path ?? name).join(' '),
        reached,
        revenue.value,
      ]),
      [
        ['', 1, '30.00'],
        ['signup', 1, '30.00'],
        ['signup /pricing', 1, '30.00'],
        ['signup /pricing /', 1, '30.00'],
      ],
    );
  });

  it('show the way to a purchase', async () => {
    const { results } = await ask<PurchasePathsAnswer>('purchase-paths', {
      time_bounds: [3_600],
      visit_bounds: [2],
    });
    const [row] = results;
    // Ann took ten minutes and one visit, the other 100 minutes and two.
    assert.deepEqual(
      row?.time.buckets.map(({ customers }) => customers),
      [1, 1],
    );
    assert.deepEqual(
      row?.visits.buckets.map(({ revenue }) => revenue.value),
      ['30.00', '50.00'],
    );
    assert.equal(row?.time.median, 3_300);
    assert.equal(row?.visits.median, 1.5);
  });
});

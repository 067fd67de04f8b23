import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import type { StoryAnswer } from '#contract/story.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

/**
 * Anna's only visit, nine days ago (UTC), and what she pays:
 *
 * ```
 * 10:00  found with Google: /                       its own touch
 * 10:10  a newsletter's link: /offer                a touch
 * 10:12  /pricing
 * 10:15  back from a search with Bing: /            no touch: nobody tagged it
 * 10:20  an ad of Google: /                         a touch, of the visit's own source
 * 10:21  another page that keeps the ad's click id  no touch: nothing differs
 * 10:30  pays 90.00 (now)
 * 10:05  of the next day: pays 30.00 (later), 10.00 of which go back
 * ```
 */
const DAY = new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 10);
const NEXT_DAY = new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 10);
const at = (time: string, day = DAY) => `${day}T${time}:00.000Z`;
const SITE = 'touches.example';
const PAGES = [
  ['10:00', '/', 'https://www.google.com/'],
  ['10:10', '/offer?utm_source=newsletter&utm_medium=email&utm_campaign=may', ''],
  ['10:12', '/pricing', `https://${SITE}/offer`],
  ['10:15', '/', 'https://www.bing.com/'],
  ['10:20', '/?gclid=abc', 'https://www.google.com/'],
  ['10:21', '/buy?gclid=abc', `https://${SITE}/`],
] as const;
const PAYMENTS = [
  { transaction_id: 'now', amount: 90, timestamp: at('10:30') },
  { transaction_id: 'later', amount: 30, timestamp: at('10:05', NEXT_DAY) },
  { transaction_id: 'back', original_transaction_id: 'later', amount: 10, refunded: true },
];

describe('a campaign tag or click id in the middle of a visit', () => {
  let caller: Caller;
  let url: string;
  before(async () => {
    const server = await shareServer();
    url = server.url;
    await addSite(server.dataDir, SITE, { currency: 'EUR' });
    caller = callerOf(url, SITE, await createKey(server.dataDir, SITE));
    for (const [time, path, referrer] of PAGES) {
      await caller.post('/api/v1/events', {
        ...{ site: SITE, type: 'pageview', url: `https://${SITE}${path}`, referrer },
        ...{ occurred_at: Date.parse(at(time)), service_visitor_id: 'anna' },
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      });
    }
    for (const payment of PAYMENTS) {
      const answer = await caller.payment({
        currency: 'EUR',
        service_visitor_id: 'anna',
        ...payment,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }
    await waitUntil(
      () => revenueBy('visit:channel', { model: 'first_touch' }),
      (rows) => rows['Organic Search'] === '110.00',
    );
  });

  async function rows(query: object) {
    const { body } = await caller.query({ date_range: '30d', ...query });
    return (body as { results: { dimensions: string[]; metrics: unknown[] }[] }).results;
  }
  async function revenueBy(dimension: string, attribution: object) {
    const found = await rows({ metrics: ['revenue'], dimensions: [dimension], attribution });
    return Object.fromEntries(
      found.map(({ dimensions: [name], metrics: [revenue] }) => [
        name,
        (revenue as { value: string }).value,
      ]),
    );
  }
  async function read<Answer>(path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${caller.key}` };
    return (await fetch(`${url}/api/v1/${path}`, { headers })).json() as Promise<Answer>;
  }

  it('is a touch of its own for every model', async () => {
    const cases = [
      ['first_touch', { 'Organic Search': '110.00' }],
      ['last_touch', { 'Paid Search': '110.00' }],
      ['last_non_direct', { 'Paid Search': '110.00' }],
      ['linear', { 'Organic Search': '36.66', Email: '36.67', 'Paid Search': '36.67' }],
      ['position_based', { 'Organic Search': '44.00', Email: '22.00', 'Paid Search': '44.00' }],
    ] as const;
    for (const [model, expected] of cases) {
      const found = await revenueBy('visit:channel', { model });
      const shown = Object.entries(found).filter(([, value]) => value !== '0.00');
      assert.deepEqual(Object.fromEntries(shown), expected, model);
    }
    const linear = { model: 'linear' };
    assert.deepEqual(await revenueBy('visit:source', linear), {
      Google: '73.33',
      newsletter: '36.67',
    });
    assert.deepEqual(await revenueBy('visit:campaign', linear), {
      '(none)': '73.33',
      may: '36.67',
    });
    assert.deepEqual(await revenueBy('visit:entry_page', linear), { '/': '110.00' });
  });

  it('leaves the visit and its source as they are', async () => {
    const metrics = ['visits', 'visitors', 'visits_to_purchase', 'time_to_purchase'];
    assert.deepEqual(await rows({ metrics }), [{ dimensions: [], metrics: [1, 1, 1, 1_800] }]);
    assert.deepEqual(await rows({ metrics: ['visits'], dimensions: ['visit:channel'] }), [
      { dimensions: ['Organic Search'], metrics: [1] },
    ]);
  });

  it('counts within the lookback window, although its visit began before', async () => {
    const window = { model: 'linear', lookback_days: 1 };
    // Of `now` a third each; of `later`, less its refund, half each.
    assert.deepEqual(await revenueBy('visit:channel', window), {
      'Organic Search': '30.00',
      Email: '40.00',
      'Paid Search': '40.00',
    });
    const { state } = await read<ListedPayment>('payments/later?lookback_days=1');
    assert.equal(state, 'attributed');
  });

  it('stands in the story, with its credit', async () => {
    const story = await read<StoryAnswer>('visitors/anna/story?model=linear');
    const [visit] = story.visits;
    assert.equal(story.visits.length, 1);
    const touches = visit?.touches.map(({ at: came, values, credit }) => [
      ...[came, values.source, values.channel, values.campaign, values.click_id],
      credit.revenue.value,
    ]);
    assert.deepEqual(touches, [
      [at('10:00'), 'Google', 'Organic Search', '(none)', '(none)', '36.66'],
      [at('10:10'), 'newsletter', 'Email', 'may', '(none)', '36.67'],
      [at('10:20'), 'Google', 'Paid Search', '(none)', 'gclid', '36.67'],
    ]);
    assert.equal(visit?.credit.revenue.value, '110.00');
    const paid = story.payments.find(({ transaction_id: id }) => id === 'now');
    const shares = paid?.credit.map(({ touched_at, revenue }) => [touched_at, revenue.value]);
    assert.deepEqual(shares?.toSorted(), [
      [at('10:00'), '30.00'],
      [at('10:10'), '30.00'],
      [at('10:20'), '30.00'],
    ]);
  });
});

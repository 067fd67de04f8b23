import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BAKERY } from '../worlds/bakery.ts';
import { type Bakery, openBakery } from '../worlds/open-bakery.ts';

/**
 * Two visits on 20 November 2026, by UTC:
 *
 * ```
 * 08:00  eva   /        visible 30 s, then 10 s more; scrolled to 40 %, then 90 %
 * 08:05  eva   /menu    visible 20 s; scrolled to 10 %
 * 09:00  finn  /        visible 5 s; scrolled to 50 %
 * 09:30  a bot /        visible 999 s; counts nowhere
 * ```
 */
const DAY = Date.parse('2026-11-20T00:00:00Z');
const minutes = (hour: number, minute: number) => DAY + (hour * 60 + minute) * 60_000;

function deed(
  visitor: string,
  visit: number,
  at: number,
  path: string,
  more: { readonly type?: 'engagement' | 'scroll' | 'pageview' } & Record<string, unknown> = {},
) {
  return {
    site_id: BAKERY.id,
    occurred_at: at,
    accepted_at: at,
    event_id: crypto.randomUUID(),
    type: 'pageview' as const,
    visitor_id: visitor,
    visit_id: `00000000-0000-7000-8000-00000000000${visit}`,
    visit_started_at: visit === 1 ? minutes(8, 0) : minutes(9, visit === 2 ? 0 : 30),
    path,
    title: path === '/' ? 'Home' : 'Menu',
    hostname: visit === 2 ? 'shop.example' : 'bakery.example',
    ...more,
  };
}

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
  const seen = (ms: number, depth: number) => ({ engagement_ms: ms, scroll_depth: depth });
  await bakery.addEvents([
    deed('eva', 1, minutes(8, 0), '/'),
    deed('eva', 1, minutes(8, 1), '/', { type: 'engagement', ...seen(30_000, 40) }),
    deed('eva', 1, minutes(8, 2), '/', { type: 'engagement', ...seen(10_000, 90) }),
    deed('eva', 1, minutes(8, 5), '/menu'),
    deed('eva', 1, minutes(8, 6), '/menu', { type: 'engagement', ...seen(20_000, 10) }),
    deed('finn', 2, minutes(9, 0), '/'),
    deed('finn', 2, minutes(9, 1), '/', { type: 'scroll', ...seen(5_000, 50) }),
    deed('bot', 3, minutes(9, 30), '/', { bot_class: 'declared', ...seen(999_000, 100) }),
  ]);
});
after(() => bakery.close());

const date_range: [string, string] = ['2026-11-20', '2026-11-20'];

describe('attention', () => {
  it('is the visible time of a visit, and the farthest scroll of each page in it', async () => {
    const metrics = ['engagement_time', 'scroll_depth', 'events'];
    // (60 s + 5 s) / 2 = 32.5 s; (90 + 10 + 50) / 3 = 50 %; reports are no events.
    assert.deepEqual(await bakery.lines({ metrics, date_range }), ['33 | 50 | 3']);
  });
  it('is broken down by page', async () => {
    const metrics = ['engagement_time', 'scroll_depth', 'visits'];
    assert.deepEqual(await bakery.lines({ metrics, date_range, dimensions: ['event:page'] }), [
      '/ | 23 | 70 | 2', // 45 s / 2 = 22.5 s
      '/menu | 20 | 10 | 1',
    ]);
  });
  it('is broken down by host, title and exit page', async () => {
    const by = (dimension: string) =>
      bakery.lines({ metrics: ['pageviews'], date_range, dimensions: [dimension] });
    assert.deepEqual(await by('event:hostname'), ['bakery.example | 2', 'shop.example | 1']);
    assert.deepEqual(await by('event:title'), ['Home | 2', 'Menu | 1']);
    assert.deepEqual(await by('visit:exit_page'), ['/menu | 2', '/ | 1']);
  });
  it('is counted by minutes too, with the empty ones', async () => {
    const rows = await bakery.lines({
      metrics: ['pageviews'],
      dimensions: ['time:minute'],
      date_range: ['2026-11-20T08:00:00Z', '2026-11-20T08:07:00Z'],
      timezone: 'Asia/Kolkata',
    });
    assert.deepEqual(
      rows.map((row) => row.slice(11)),
      ['13:30:00 | 1', '13:31:00 | 0', '13:32:00 | 0', '13:33:00 | 0', '13:34:00 | 0'].concat([
        '13:35:00 | 1',
        '13:36:00 | 0',
      ]),
    );
  });
  it('takes the unit of time that suits the period', async () => {
    const unit = async (range: [string, string]) => {
      const { results } = await bakery.ask({
        metrics: ['visits'],
        dimensions: ['time'],
        date_range: range,
      });
      return results.length;
    };
    assert.equal(await unit(['2026-11-20T08:00:00Z', '2026-11-20T11:00:00Z']), 180);
    assert.equal(await unit(date_range), 24);
    assert.equal(await unit(['2026-11-01', '2026-11-20']), 20);
    assert.equal(await unit(['2026-01-01', '2026-11-20']), 11);
  });
});

describe('visitors', () => {
  it('are new where they first came from', async () => {
    const by = (range: [string, string]) =>
      bakery.lines({
        metrics: ['new_visitors', 'visitors'],
        dimensions: ['visit:source'],
        date_range: range,
      });
    assert.deepEqual(await by(['2026-11-01', '2026-11-19']), [
      'Direct | 1 | 2',
      'Google | 1 | 1',
      'Hacker News | 1 | 2',
      'Newsletter | 1 | 1',
    ]);
    assert.deepEqual(await by(['2026-11-05', '2026-11-19']), [
      'Direct | 0 | 1',
      'Hacker News | 0 | 1',
    ]);
  });
  it('are new on the pages of their first visit', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['new_visitors'],
        dimensions: ['event:page'],
        date_range: ['2026-11-01', '2026-11-19'],
      }),
      ['/ | 3', '/blog | 2', '/pricing | 2'],
    );
  });
  it('bring money, visits and goals to the row of their first visit', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['visits', 'conversions', 'revenue', 'pageviews'],
        dimensions: ['visitor:first_source'],
        date_range: ['2026-11-03', '2026-11-19'],
        attribution: { model: 'last_touch' },
      }),
      [
        'Google | 2 | 1 | 39.90 | 2',
        'Hacker News | 1 | 0 | 0.00 | 1',
        'Newsletter | 0 | 1 | 0.00 | 1',
        'Unattributed | 0 | 0 | 5.55 | 0',
      ],
    );
  });
  it('form cohorts by week and month, in the zone of the query', async () => {
    const by = (dimension: string, timezone: string) =>
      bakery.lines({
        metrics: ['visitors'],
        dimensions: [dimension],
        timezone,
        order_by: [[dimension, 'asc']],
        date_range: ['2026-10-31', '2026-11-19'],
      });
    assert.deepEqual(await by('visitor:cohort_month', 'Europe/Berlin'), ['2026-11-01 | 4']);
    assert.deepEqual(await by('visitor:cohort_month', 'UTC'), ['2026-10-01 | 1', '2026-11-01 | 3']);
    assert.deepEqual(await by('visitor:cohort_week', 'europe/berlin'), [
      '2026-10-26 | 1',
      '2026-11-02 | 3',
    ]);
    assert.deepEqual(await by('visitor:cohort_month', '-05:30'), [
      '2026-10-01 | 1',
      '2026-11-01 | 3',
    ]);
  });
  it('are filtered by their first visit, together with others', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['visits', 'pageviews', 'revenue'],
        filters: [
          ['is', 'visitor:first_source', ['Google']],
          ['is_not', 'visit:source', ['Google']],
        ],
        date_range: ['2026-11-01', '2026-11-19'],
      }),
      ['2 | 2 | 0.00'],
    );
  });
});

describe('a ratio', () => {
  it('is rounded to the nearest, halves up', async () => {
    const visit = (n: number) =>
      deed('gus', 7, minutes(9, 0) + n, '/', { visit_id: crypto.randomUUID() });
    await bakery.addEvents([...Array(6).keys()].map(visit));
    const metrics = ['views_per_visit'];
    // (2 + 1 + 6) / 8 = 1.125, of 9 pageviews in 8 visits.
    assert.deepEqual(await bakery.lines({ metrics, date_range }), ['1.13']);
  });
});

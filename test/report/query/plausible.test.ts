import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toOwnValue } from '#contract/plausible-names.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import { BAKERY, BAKERY_NOW } from '../../worlds/bakery.ts';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe("Plausible's names", () => {
  it('mean our metrics and dimensions, and stay as they were written', async () => {
    const { query, results } = await bakery.ask({
      metrics: ['visitors', 'group_conversion_rate', 'conversion_rate', 'total_revenue', 'revenue'],
      dimensions: ['visit:utm_medium', 'visit:medium', 'visit:utm_campaign'],
      filters: [['is', 'visit:utm_source', ['Google', 'Newsletter']]],
      order_by: [['total_revenue', 'desc']],
    });
    const [earned, nothing] = ['35.90', '0.00'].map((value) => ({ value, currency: 'EUR' }));
    assert.deepEqual(results, [
      { dimensions: ['cpc', 'cpc', 'autumn'], metrics: [1, 100, 100, earned, earned] },
      { dimensions: ['email', 'email', 'november'], metrics: [1, 100, 100, nothing, nothing] },
    ]);
    assert.deepEqual(query.dimensions, ['visit:utm_medium', 'visit:medium', 'visit:utm_campaign']);
    assert.equal(query.metrics[3], 'total_revenue');
    for (const [metric, order] of [
      ['revenue', 'total_revenue'],
      ['total_revenue', 'revenue'],
    ] as const) {
      const sorted = await bakery.ask({
        metrics: [metric],
        dimensions: ['visit:source'],
        order_by: [[order, 'asc']],
      });
      assert.deepEqual(sorted.results.at(-1)?.dimensions, ['Google'], order);
      assert.deepEqual(sorted.query.order_by[0], [metric, 'asc']);
    }
    const rows = await bakery.lines({ metrics: ['average_revenue', 'time_on_page'] });
    assert.deepEqual(
      rows,
      await bakery.lines({ metrics: ['average_order_value', 'engagement_time'] }),
    );
  });
  it('share the visitors of a query out among its rows', async () => {
    const rows = await bakery.lines({
      metrics: ['percentage', 'visitors', 'conversion_rate'],
      dimensions: ['visit:source'],
    });
    assert.deepEqual(rows, [
      'Direct | 50 | 2 | 0',
      'Hacker News | 50 | 2 | 0',
      'Google | 25 | 1 | 100',
      'Newsletter | 25 | 1 | 100',
    ]);
    const pages = await bakery.lines({
      metrics: ['percentage', 'conversion_rate'],
      dimensions: ['event:page', 'visit:source'],
      filters: [['is', 'event:page', ['/pricing']]],
    });
    assert.deepEqual(pages, ['/pricing | Google | 50 | 100', '/pricing | Newsletter | 50 | 0']);
    const compared = await bakery.ask({
      metrics: ['percentage'],
      date_range: ['2026-11-03', '2026-11-04'],
      include: { compare: ['2026-11-01', '2026-11-02'] },
    });
    const [row] = compared.results;
    assert.deepEqual([row?.metrics, row?.comparison?.metrics], [[100], [100]]);
  });
  it('mean our values in filters: of systems, devices, countries, goals and of nothing', async () => {
    const at = BAKERY_NOW - 23 * HOUR_MS;
    await bakery.addEvents([
      {
        ...{ site_id: BAKERY.id, event_id: crypto.randomUUID(), type: 'pageview' },
        ...{ visitor_id: 'emil', occurred_at: at, accepted_at: at, path: '/' },
        ...{ visit_id: '00000000-0000-7000-8000-0000000000e1', visit_started_at: at },
        ...{ os: 'macOS', device: 'desktop', browser: 'Edge', country: 'US' },
        ...{ region: 'Maryland', city: 'Annapolis' },
      },
    ]);
    const dimensions = ['visit:country_name', 'visit:region_name', 'visit:city_name'];
    for (const filter of [
      ['is', 'visit:os', ['GNU/Linux', 'Mac']],
      ['contains', 'visit:os', ['Mac']],
      ['is', 'visit:screen', ['Laptop']],
      ['is_not', 'visit:country_name', ['']],
      ['is', 'visit:country_name', ['Estonia', 'United States of America']],
      ['contains', 'visit:country_name', ['united'], { case_sensitive: false }],
      ['is', 'visit:browser', ['Microsoft Edge']],
      ['is', 'visit:city_name', ['Annapolis']],
    ]) {
      const rows = await bakery.lines({ metrics: ['visitors'], dimensions, filters: [filter] });
      assert.deepEqual(rows, ['United States | Maryland | Annapolis | 1'], JSON.stringify(filter));
    }
    const count = async (filter: unknown[]) =>
      bakery.lines({ metrics: ['visitors'], filters: [filter] });
    assert.deepEqual(await count(['is', 'event:goal', ['Signup']]), ['2']);
    assert.deepEqual(await count(['is', 'visit:source', ['Direct / None']]), ['3']);
    assert.deepEqual(await count(['is', 'visit:device', ['']]), ['4']);
    assert.equal(toOwnValue('visit:os', 'iPadOS'), 'iOS');
    assert.equal(toOwnValue('visit:browser_version', '146.0'), '146');
    assert.equal(toOwnValue('visit:os_version', '26.10'), '26.10');
  });
  it('ask for the last 24 hours, by the hour', async () => {
    const rows = await bakery.lines({
      metrics: ['pageviews'],
      dimensions: ['time'],
      date_range: '24h',
    });
    assert.equal(rows.length, 25);
    assert.deepEqual(rows.slice(0, 3), [
      '2026-11-20 12:00:00 | 0',
      '2026-11-20 13:00:00 | 1',
      '2026-11-20 14:00:00 | 0',
    ]);
  });
  it('of imports say that there are none beside the events', async () => {
    const { meta } = await bakery.ask({ metrics: ['visitors'], include: { imports: true } });
    assert.deepEqual(meta, { imports_included: false });
  });
  it('that have no like here are refused with what to write', async () => {
    const refused = [
      [
        ['is', 'event:goal', ['Visit /blog*']],
        /write \["matches_wildcard","event:page",\["\/blog\*\*"\]\]/,
      ],
      [['is', 'event:name', ['pageview']], /Filter by event:goal/],
      [['is', 'event:goal', ['signup', 'Outbound Link: Click']], /query the metric events/],
      [['is', 'event:props:Plan name', ['x']], /lower-case letters/],
    ] as const;
    for (const [filter, message] of refused) {
      const [fault] = await bakery.faults({ metrics: ['visitors'], filters: [[...filter]] });
      assert.match(fault ?? '', message);
    }
  });
});

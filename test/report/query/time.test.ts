import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COST_METRICS } from '#contract/reports/catalog.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { METRICS } from '#report/catalog.ts';
import { BAKERY } from '../../worlds/bakery.ts';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe('time', () => {
  it("counts by the site's days, with the empty ones up to now", async () => {
    const rows = await bakery.lines({
      metrics: ['visitors', 'pageviews', 'revenue'],
      dimensions: ['time:day'],
      date_range: 'month',
    });
    assert.equal(rows.length, 21);
    assert.deepEqual(rows.slice(0, 7), [
      '2026-11-01 | 1 | 1 | 0.00',
      '2026-11-02 | 2 | 4 | 20.00',
      '2026-11-03 | 1 | 2 | 129.90',
      '2026-11-04 | 0 | 0 | -94.45',
      '2026-11-05 | 1 | 1 | 0.00',
      '2026-11-06 | 0 | 0 | 10.00',
      '2026-11-07 | 0 | 0 | 0.00',
    ]);
    assert.equal(rows[19], '2026-11-20 | 0 | 0 | -4.00');
  });
  it('counts by the days of another zone when asked', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['pageviews'],
        dimensions: ['time:day'],
        date_range: ['2026-10-31', '2026-11-02'],
        timezone: 'UTC',
      }),
      ['2026-10-31 | 1', '2026-11-01 | 0', '2026-11-02 | 5'],
    );
  });
  it('counts by hours', async () => {
    const rows = await bakery.lines({
      metrics: ['pageviews', 'conversions'],
      dimensions: ['time:hour'],
      date_range: ['2026-11-02', '2026-11-02'],
    });
    assert.equal(rows.length, 24);
    assert.equal(rows[10], '2026-11-02 10:00:00 | 2 | 1');
    assert.equal(rows[11], '2026-11-02 11:00:00 | 0 | 0');
    assert.equal(rows[23], '2026-11-02 23:00:00 | 2 | 0');
  });
  it('has 25 hours on the day that clocks go back', async () => {
    const rows = await bakery.lines({
      metrics: ['visits'],
      dimensions: ['time:hour'],
      date_range: ['2026-10-25', '2026-10-25'],
    });
    assert.equal(rows.length, 25);
    assert.deepEqual(rows.slice(2, 4), [
      '2026-10-25 02:00:00+02:00 | 0',
      '2026-10-25 02:00:00+01:00 | 0',
    ]);
  });
  it('counts by weeks and months', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['visits'],
        dimensions: ['time:week'],
        date_range: ['2026-11-01', '2026-11-08'],
      }),
      ['2026-10-26 | 1', '2026-11-02 | 4'],
    );
    assert.deepEqual(
      await bakery.lines({
        metrics: ['visits', 'bounce_rate'],
        dimensions: ['time:month'],
        date_range: '3mo',
      }),
      ['2026-09-01 | 0 | null', '2026-10-01 | 0 | null', '2026-11-01 | 6 | 50'],
    );
  });
  it('crosses time with another dimension without inventing rows', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['visits'],
        dimensions: ['time:day', 'visit:source'],
        date_range: ['2026-11-01', '2026-11-02'],
      }),
      ['2026-11-01 | Direct | 1', '2026-11-02 | Google | 1', '2026-11-02 | Newsletter | 1'],
    );
  });
  it('begins all where the records begin', async () => {
    const { query } = await bakery.ask({ metrics: ['visits'], date_range: 'all' });
    assert.deepEqual(query.date_range, ['2026-11-01T00:00:00+01:00', '2026-11-22T00:00:00+01:00']);
  });
  it('labels the whole period when asked', async () => {
    const { meta } = await bakery.ask({
      metrics: ['visits'],
      dimensions: ['time:day'],
      date_range: ['2026-11-20', '2026-11-23'],
      include: { time_labels: true },
    });
    assert.deepEqual(meta.time_labels, ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']);
  });
});

describe('comparison with the previous period', () => {
  it('shows what each row of the page was before', async () => {
    const { results, query } = await bakery.ask({
      metrics: ['visits', 'revenue', 'bounce_rate'],
      dimensions: ['visit:source'],
      date_range: ['2026-11-03', '2026-11-04'],
      include: { compare: 'previous_period' },
      pagination: { limit: 2 },
    });
    assert.deepEqual(query.comparison_date_range, [
      '2026-11-01T00:00:00+01:00',
      '2026-11-03T00:00:00+01:00',
    ]);
    assert.deepEqual(
      results.map((row) => [row.dimensions[0], row.comparison?.metrics, row.comparison?.change]),
      [
        ['Hacker News', [0, { value: '0.00', currency: 'EUR' }, null], [null, null, null]],
        ['Google', [1, { value: '0.00', currency: 'EUR' }, 0], [-100, null, null]],
      ],
    );
  });
  it('counts the whole of both periods as each of them alone', async () => {
    const all = [...METRICS.keys()];
    const ofVisits = all.filter((name) => !COST_METRICS.some((each) => each === name));
    for (const [metrics, each] of [
      [all, []],
      [all, [['is', 'visit:source', ['Google']]]],
      [ofVisits, [['is', 'event:page', ['/']]]], // A cost has no page.
    ] as const) {
      const ask = (date_range: [string, string], compare?: 'previous_period') =>
        bakery.ask({
          metrics: [...metrics],
          date_range,
          filters: each.map(([...filter]) => filter),
          ...(compare && { include: { compare } }),
        });
      const [both] = (await ask(['2026-11-11', '2026-11-20'], 'previous_period')).results;
      const [now] = (await ask(['2026-11-11', '2026-11-20'])).results;
      const [before] = (await ask(['2026-11-01', '2026-11-10'])).results;
      assert.deepEqual(both?.metrics, now?.metrics);
      assert.deepEqual(both?.comparison?.metrics, before?.metrics);
    }
  });
  it('meets days by their position', async () => {
    const { results } = await bakery.ask({
      metrics: ['visits'],
      dimensions: ['time:day'],
      date_range: ['2026-11-03', '2026-11-04'],
      include: { compare: 'previous_period' },
    });
    assert.deepEqual(results, [
      {
        dimensions: ['2026-11-03'],
        metrics: [1],
        comparison: { dimensions: ['2026-11-01'], metrics: [1], change: [0] },
      },
      {
        dimensions: ['2026-11-04'],
        metrics: [0],
        comparison: { dimensions: ['2026-11-02'], metrics: [2], change: [-100] },
      },
    ]);
  });
  it('finds rows of a value and a time by both', async () => {
    const { results } = await bakery.ask({
      metrics: ['visits', 'pageviews'],
      dimensions: ['visit:channel', 'time:day'],
      date_range: ['2026-11-02', '2026-11-02'],
      include: { compare: 'previous_period' },
    });
    const comparison = {
      ...{ dimensions: ['Direct', '2026-11-01'], metrics: [1, 1], change: [100, 300] },
    };
    assert.deepEqual(results, [
      { dimensions: ['Direct', '2026-11-02'], metrics: [2, 4], comparison },
    ]);
  });
  it('meets the month before, where the period before begins in another', async () => {
    const { results } = await bakery.ask({
      metrics: ['visits'],
      dimensions: ['time:month'],
      date_range: ['2026-10-01', '2026-10-31'],
      include: { compare: 'previous_period' },
    });
    assert.deepEqual(
      results.map((row) => [row.dimensions, row.comparison?.dimensions]),
      [[['2026-10-01'], ['2026-09-01']]],
    );
  });
  it('compares a period that is not over with the same part of the other one', async () => {
    // At noon of the 21st. Google was there on the 2nd at 10:00, Newsletter at 23:30.
    const ask = async (dimensions: string[], include: object) => {
      const query = {
        metrics: ['visits'],
        date_range: ['2026-11-20', '2026-11-21'] as [string, string],
      };
      const { results } = await bakery.ask({ ...query, dimensions, include });
      return results.map(({ comparison }) => [comparison?.dimensions[0], comparison?.metrics[0]]);
    };
    const compare = ['2026-11-01', '2026-11-02'];
    assert.deepEqual(await ask([], { compare }), [[undefined, 2]]);
    const byDay = [
      ['2026-11-01', 1],
      ['2026-11-02', 1],
    ];
    assert.deepEqual(await ask(['time:day'], { compare }), byDay);
    const { query } = await bakery.ask({
      metrics: ['visits'],
      date_range: '7d',
      include: { compare: 'previous_period' },
    });
    assert.deepEqual(query.comparison_date_range, [
      '2026-11-08T00:00:00+01:00',
      '2026-11-14T12:00:01+01:00',
    ]);
  });
  it('meets the month before in the rows of other dimensions too', async () => {
    const seen = (date: string): EventRow => ({
      ...{ site_id: BAKERY.id, type: 'pageview', visitor_id: 'fay', visit_id: crypto.randomUUID() },
      ...{ occurred_at: Date.parse(date), accepted_at: Date.parse(date) },
      ...{ event_id: crypto.randomUUID(), visit_started_at: Date.parse(date) },
    });
    await bakery.addEvents(['2026-04-10', '2026-05-10', '2026-05-11'].map(seen));
    const { results } = await bakery.ask({
      metrics: ['visits'],
      dimensions: ['time:month', 'visit:source'],
      date_range: ['2026-05-01', '2026-05-31'],
      include: { compare: 'previous_period' },
    });
    const comparison = { dimensions: ['2026-04-01', 'Direct'], metrics: [1], change: [100] };
    assert.deepEqual(results, [{ dimensions: ['2026-05-01', 'Direct'], metrics: [2], comparison }]);
  });
  it('finds what a row was, however many others there were', async () => {
    const seen = (date: string, path: string, index: number) => ({
      site_id: BAKERY.id,
      occurred_at: Date.parse(`${date}T12:00:00Z`),
      accepted_at: Date.parse(`${date}T12:00:00Z`),
      event_id: crypto.randomUUID(),
      type: 'pageview' as const,
      visitor_id: `gil-${index}`,
      visit_id: crypto.randomUUID(),
      visit_started_at: Date.parse(`${date}T12:00:00Z`),
      path,
    });
    const others = Array.from({ length: 10_001 }, (_, n) => seen('2026-03-02', `/${n}`, n));
    const visits = [
      ['2026-03-03', 1],
      ['2026-03-05', 2],
    ] as const;
    const sought = visits.flatMap(([date, count]) =>
      Array.from({ length: count }, (_, n) => seen(date, '/sought', n)),
    );
    await bakery.addEvents([...others, ...sought]);
    const { results } = await bakery.ask({
      metrics: ['pageviews'],
      dimensions: ['time:day', 'event:page'],
      date_range: ['2026-03-04', '2026-03-05'],
      include: { compare: 'previous_period' },
    });
    const comparison = { dimensions: ['2026-03-03', '/sought'], metrics: [1], change: [100] };
    assert.deepEqual(results, [
      { dimensions: ['2026-03-05', '/sought'], metrics: [2], comparison },
    ]);
  });
  it('may be with the year before, or with any other period', async () => {
    const ask = async (compare: 'year_over_year' | 'same_weekdays' | [string, string]) => {
      const { results, query } = await bakery.ask({
        metrics: ['visits'],
        dimensions: ['time:day'],
        date_range: ['2026-11-02', '2026-11-03'],
        include: { compare },
      });
      const comparisons = results.map(({ comparison }) => [
        comparison?.dimensions[0],
        comparison?.metrics[0],
      ]);
      return [query.comparison_date_range?.[0], ...comparisons];
    };
    assert.deepEqual(await ask('year_over_year'), [
      '2025-11-02T00:00:00+01:00',
      ['2025-11-02', 0],
      ['2025-11-03', 0],
    ]);
    assert.deepEqual(await ask('same_weekdays'), [
      '2025-11-03T00:00:00+01:00',
      ['2025-11-03', 0],
      ['2025-11-04', 0],
    ]);
    assert.deepEqual(await ask(['2026-11-05', '2026-11-05']), [
      '2026-11-05T00:00:00+01:00',
      ['2026-11-05', 1],
      ['', null],
    ]);
  });
  it('is refused with what is no period, or has too many points', async () => {
    const faults = (compare: [string, string]) =>
      bakery.faults({ metrics: ['visits'], dimensions: ['time:hour'], include: { compare } });
    assert.deepEqual(await faults(['2026-11-05', '2026-11-01']), [
      '/include/compare: The date range ends before it begins.',
    ]);
    assert.match((await faults(['2020-11-05', '2026-11-01']))[0] ?? '', /more than 10000 points/);
  });
});

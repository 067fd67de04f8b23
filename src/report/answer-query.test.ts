import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Query, QueryAnswer } from '#contract/query.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../../test/worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../test/worlds/open-warehouse.ts';
import { createReport } from './answer-query.ts';

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
  await world.addEvents(BAKERY_EVENTS);
  await world.addPayments(BAKERY_PAYMENTS);
});
after(() => world.close());

const NOVEMBER: [string, string] = ['2026-11-01', '2026-11-30'];

async function ask(query: Partial<Query> & Pick<Query, 'metrics'>): Promise<QueryAnswer> {
  const report = createReport({ warehouse: world.warehouse, now: () => BAKERY_NOW });
  const answer = await report.answer(BAKERY, {
    site_id: BAKERY.id,
    date_range: NOVEMBER,
    ...query,
  });
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value;
}

async function refusalOf(query: Partial<Query> & Pick<Query, 'metrics'>) {
  const report = createReport({ warehouse: world.warehouse, now: () => BAKERY_NOW });
  const answer = await report.answer(BAKERY, {
    site_id: BAKERY.id,
    date_range: NOVEMBER,
    ...query,
  });
  assert.ok(!answer.ok);
  return answer.error.details;
}

/** Rows as lines, `Google | 1 | 35.90`: easy to compare with the world's table. */
async function lines(query: Partial<Query> & Pick<Query, 'metrics'>): Promise<string[]> {
  const { results } = await ask(query);
  return results.map(({ dimensions, metrics }) =>
    [...dimensions, ...metrics.map(toText)].join(' | '),
  );
}

function toText(value: QueryAnswer['results'][number]['metrics'][number]): string {
  return typeof value === 'object' && value !== null ? value.value : String(value);
}

describe('the month as a whole', () => {
  const totals = [
    ['visitors', 4],
    ['visits', 6],
    ['pageviews', 9],
    ['views_per_visit', 1.5],
    ['bounce_rate', 50], // D1, C1, A3; A2 has one page and a goal.
    ['visit_duration', 430], // (180 + 2400 + 4 × 0) / 6
    ['events', 12],
    ['conversions', 3],
    ['conversion_rate', 50], // anna and ben, of four
    ['gross_revenue', { value: '165.45', currency: 'EUR' }],
    ['refunds', { value: '104.00', currency: 'EUR' }],
    ['revenue', { value: '61.45', currency: 'EUR' }],
    ['payments', 7],
    ['revenue_per_visitor', { value: '15.36', currency: 'EUR' }], // 61.45 / 4 = 15.3625
  ] as const;
  for (const [metric, value] of totals) {
    it(`has ${metric} of ${JSON.stringify(value)}`, async () => {
      const { results } = await ask({ metrics: [metric] });
      assert.deepEqual(results, [{ dimensions: [], metrics: [value] }]);
    });
  }

  it('answers all of it in one question', async () => {
    const { results } = await ask({ metrics: totals.map(([metric]) => metric) });
    assert.deepEqual(
      results[0]?.metrics,
      totals.map(([, value]) => value),
    );
  });

  it('names the money it could not convert', async () => {
    const { meta } = await ask({ metrics: ['revenue'] });
    assert.deepEqual(meta.unconverted, [
      {
        currency: 'USD',
        gross_revenue: { value: '50.00', currency: 'USD' },
        refunds: { value: '0.00', currency: 'USD' },
        payments: 1,
      },
    ]);
  });

  it('has nothing to divide by in an empty period', async () => {
    const metrics = [
      'visitors',
      'bounce_rate',
      'views_per_visit',
      'visit_duration',
      'conversion_rate',
    ];
    const { results } = await ask({
      metrics: [...metrics, 'revenue', 'revenue_per_visitor'],
      date_range: ['2020-01-01', '2020-01-31'],
    });
    const money = { value: '0.00', currency: 'EUR' };
    assert.deepEqual(results, [
      { dimensions: [], metrics: [0, null, null, null, null, money, null] },
    ]);
  });
});

describe('by visit', () => {
  it('breaks traffic down by where each visit came from', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['visits', 'visitors', 'pageviews', 'bounce_rate'],
        dimensions: ['visit:source'],
      }),
      [
        'Direct | 2 | 2 | 2 | 50',
        'Hacker News | 2 | 2 | 2 | 100',
        'Google | 1 | 1 | 2 | 0',
        'Newsletter | 1 | 1 | 3 | 0',
      ],
    );
  });
  it('knows medium and campaign', async () => {
    assert.deepEqual(
      await lines({ metrics: ['visits'], dimensions: ['visit:medium', 'visit:campaign'] }),
      ['(none) | (none) | 2', 'referral | (none) | 2', 'cpc | autumn | 1', 'email | november | 1'],
    );
  });
  it('knows referrer and entry page', async () => {
    assert.deepEqual(
      await lines({ metrics: ['visits'], dimensions: ['visit:entry_page', 'visit:referrer'] }),
      [
        '/ | (none) | 2',
        '/ | https://news.ycombinator.com/ | 1',
        '/ | https://www.google.com/ | 1',
        '/account | (none) | 1',
        '/blog | https://news.ycombinator.com/ | 1',
      ],
    );
  });
});

describe('credit', () => {
  const bySource = {
    metrics: ['revenue', 'payments', 'conversions'],
    dimensions: ['visit:source'],
  };

  it('goes to the first touch, and a refund takes it back there', async () => {
    assert.deepEqual(await lines(bySource), [
      'Google | 35.90 | 2 | 2',
      'Unattributed | 25.55 | 2 | 0',
      'Hacker News | 0.00 | 1 | 0',
      'Newsletter | 0.00 | 2 | 1',
    ]);
  });
  it('goes to the last touch before the payment, whatever came after it', async () => {
    assert.deepEqual(await lines({ ...bySource, attribution: { model: 'last_touch' } }), [
      'Google | 29.90 | 1 | 1',
      'Unattributed | 25.55 | 2 | 0',
      'Direct | 6.00 | 1 | 1',
      'Hacker News | 0.00 | 1 | 0',
      'Newsletter | 0.00 | 2 | 1',
    ]);
  });
  for (const [model, lookbackDays] of [
    ['first_touch', null],
    ['last_touch', null],
    ['first_touch', 2],
    ['last_touch', 1],
  ] as const) {
    it(`sums to all revenue (${model}, ${lookbackDays} days back)`, async () => {
      const { results } = await ask({
        metrics: ['revenue'],
        dimensions: ['visit:source', 'visit:campaign'],
        attribution: { model, lookback_days: lookbackDays },
      });
      const cents = results.map(({ metrics }) =>
        Number(toText(metrics[0] ?? null).replace('.', '')),
      );
      assert.equal(
        cents.reduce((sum, value) => sum + value, 0),
        6145,
      );
    });
  }
  it('forgets touches before the lookback window', async () => {
    const attribution = { model: 'first_touch', lookback_days: 2 } as const;
    assert.deepEqual(await lines({ ...bySource, attribution }), [
      'Google | 29.90 | 1 | 1',
      'Unattributed | 25.55 | 4 | 1', // and ben's dollars, ben's late signup, cleo's trial
      'Direct | 6.00 | 1 | 1',
      'Newsletter | 0.00 | 1 | 0',
    ]);
  });
  it('counts converted visitors against the visitors of the same source', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['conversion_rate', 'revenue_per_visitor'],
        dimensions: ['visit:source'],
        attribution: { model: 'last_touch' },
        order_by: [['visit:source', 'asc']],
      }),
      [
        'Direct | 50 | 3.00',
        'Google | 100 | 29.90',
        'Hacker News | 0 | 0.00',
        'Newsletter | 100 | 0.00',
        'Unattributed | null | null',
      ],
    );
  });
});

describe('by event', () => {
  it('counts a visit on every page it saw', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['pageviews', 'visits', 'visitors', 'bounce_rate'],
        dimensions: ['event:page'],
      }),
      [
        '/ | 4 | 4 | 3 | 50',
        '/blog | 2 | 2 | 2 | 50',
        '/pricing | 2 | 2 | 2 | 0',
        '/account | 1 | 1 | 1 | 0',
      ],
    );
  });
  it('counts goals, and the share of all visitors who reached them', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['conversions', 'visitors', 'conversion_rate', 'visits'],
        dimensions: ['event:goal'],
      }),
      ['signup | 2 | 2 | 50 | 1', 'login | 1 | 1 | 25 | 1'],
    );
  });
  it('reads custom parameters by name', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['conversions'],
        dimensions: ['event:goal', 'event:props:plan'],
        order_by: [['event:props:plan', 'asc']],
      }),
      ['login | (none) | 1', 'signup | free | 1', 'signup | pro | 1'],
    );
  });
  it('takes the share of the visitors of the same source', async () => {
    assert.deepEqual(
      await lines({ metrics: ['conversion_rate'], dimensions: ['visit:source', 'event:goal'] }),
      ['Google | login | 100', 'Google | signup | 100', 'Newsletter | signup | 100'],
    );
  });
  it('keeps money out, as it is credited to visits', async () => {
    const [fault, ...others] = await refusalOf({
      metrics: ['revenue'],
      dimensions: ['event:page'],
    });
    assert.equal(fault?.path, '/metrics/0');
    assert.match(fault?.message ?? '', /visit:entry_page/);
    assert.deepEqual(others, []);
  });
});

describe('filters', () => {
  const cases: readonly [string, Query['filters'] & {}, string][] = [
    ['keep one source', [['is', 'visit:source', ['Google']]], '1 | 2 | 2 | 35.90'],
    ['keep any of several', [['is', 'visit:source', ['Google', 'Direct']]], '3 | 4 | 2 | 35.90'],
    ['leave a source out', [['is_not', 'visit:source', ['Google']]], '5 | 7 | 1 | 25.55'],
    ['find a part of a text', [['contains', 'visit:campaign', ['vem', 'xyz']]], '1 | 3 | 1 | 0.00'],
    [
      'find no part of a text',
      [['contains_not', 'visit:source', ['oo', 'ews']]],
      '2 | 2 | 0 | 25.55',
    ],
    ['know money of nobody', [['is', 'visit:source', ['Unattributed']]], '0 | 0 | 0 | 25.55'],
    [
      'all hold at once',
      [
        ['is', 'visit:source', ['Direct']],
        ['is', 'visit:entry_page', ['/']],
      ],
      '1 | 1 | 0 | 0.00',
    ],
    [
      'join by or',
      [
        [
          'or',
          [
            ['is', 'visit:source', ['Google']],
            ['is', 'visit:medium', ['email']],
          ],
        ],
      ],
      '2 | 5 | 3 | 35.90',
    ],
    ['turn around', [['not', ['is', 'visit:source', ['Google']]]], '5 | 7 | 1 | 25.55'],
    // Pages: visits and payments by what the visit saw, pageviews and goals by their own page.
    ['know the pages of a visit', [['is', 'event:page', ['/pricing']]], '2 | 2 | 1 | 35.90'],
    ['know the goals of a visit', [['is', 'event:goal', ['signup']]], '1 | 0 | 2 | 35.90'],
    [
      'ask for one event that is all of it',
      [
        ['is', 'event:goal', ['signup']],
        ['is', 'event:page', ['/pricing']],
      ],
      '1 | 0 | 1 | 35.90',
    ],
    [
      'mix visits and events',
      [
        [
          'or',
          [
            ['is', 'visit:source', ['Hacker News']],
            ['is', 'event:page', ['/pricing']],
          ],
        ],
      ],
      '4 | 4 | 1 | 35.90',
    ],
    ['know custom parameters', [['is', 'event:props:plan', ['pro']]], '1 | 0 | 1 | 35.90'],
    [
      'take quotes and braces as text',
      [['is', 'visit:source', ["'; DROP TABLE visits --", '{p0:String}']]],
      '0 | 0 | 0 | 0.00',
    ],
  ];
  for (const [rule, filters, line] of cases) {
    it(rule, async () => {
      const metrics = ['visits', 'pageviews', 'conversions', 'revenue'];
      assert.deepEqual(await lines({ metrics, filters }), [line]);
    });
  }

  it('take the share of all visitors when they name an event', async () => {
    const filters = [['is', 'event:goal', ['login']]];
    assert.deepEqual(await lines({ metrics: ['conversion_rate'], filters }), ['25']);
  });
});

describe('time', () => {
  it("counts by the site's days, with the empty ones up to now", async () => {
    const rows = await lines({
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
      await lines({
        metrics: ['pageviews'],
        dimensions: ['time:day'],
        date_range: ['2026-10-31', '2026-11-02'],
        timezone: 'UTC',
      }),
      ['2026-10-31 | 1', '2026-11-01 | 0', '2026-11-02 | 5'],
    );
  });
  it('counts by hours', async () => {
    const rows = await lines({
      metrics: ['pageviews', 'conversions'],
      dimensions: ['time:hour'],
      date_range: ['2026-11-02', '2026-11-02'],
    });
    assert.equal(rows.length, 24);
    assert.equal(rows[10], '2026-11-02 10:00:00 | 2 | 1');
    assert.equal(rows[11], '2026-11-02 11:00:00 | 0 | 0');
    assert.equal(rows[23], '2026-11-02 23:00:00 | 2 | 0');
  });
  it('counts by weeks and months', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['visits'],
        dimensions: ['time:week'],
        date_range: ['2026-11-01', '2026-11-08'],
      }),
      ['2026-10-26 | 1', '2026-11-02 | 4'],
    );
    assert.deepEqual(
      await lines({
        metrics: ['visits', 'bounce_rate'],
        dimensions: ['time:month'],
        date_range: '3mo',
      }),
      ['2026-09-01 | 0 | null', '2026-10-01 | 0 | null', '2026-11-01 | 6 | 50'],
    );
  });
  it('crosses time with another dimension without inventing rows', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['visits'],
        dimensions: ['time:day', 'visit:source'],
        date_range: ['2026-11-01', '2026-11-02'],
      }),
      ['2026-11-01 | Direct | 1', '2026-11-02 | Google | 1', '2026-11-02 | Newsletter | 1'],
    );
  });
  it('begins all where the records begin', async () => {
    const { query } = await ask({ metrics: ['visits'], date_range: 'all' });
    assert.deepEqual(query.date_range, ['2026-11-01T00:00:00+01:00', '2026-11-22T00:00:00+01:00']);
  });
  it('labels the whole period when asked', async () => {
    const { meta } = await ask({
      metrics: ['visits'],
      dimensions: ['time:day'],
      date_range: ['2026-11-20', '2026-11-23'],
      include: { time_labels: true },
    });
    assert.deepEqual(meta.time_labels, ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']);
  });
});

describe('order and pages', () => {
  it('orders by what is asked, money by amount', async () => {
    assert.deepEqual(
      await lines({
        metrics: ['gross_revenue'],
        dimensions: ['visit:source'],
        order_by: [['gross_revenue', 'asc']],
      }),
      ['Hacker News | 0.00', 'Unattributed | 25.55', 'Google | 39.90', 'Newsletter | 100.00'],
    );
  });
  it('gives a page, and says how many rows there are', async () => {
    const { results, meta } = await ask({
      metrics: ['visits'],
      dimensions: ['visit:source'],
      pagination: { limit: 2, offset: 1 },
      include: { total_rows: true },
    });
    assert.deepEqual(
      results.map((row) => row.dimensions[0]),
      ['Hacker News', 'Google'],
    );
    assert.equal(meta.total_rows, 4);
  });
  it('says how it understood the question', async () => {
    const { query } = await ask({
      metrics: ['visits'],
      dimensions: ['visit:source'],
      date_range: '7d',
    });
    assert.deepEqual(query, {
      site_id: 'site_bakery',
      metrics: ['visits'],
      date_range: ['2026-11-15T00:00:00+01:00', '2026-11-22T00:00:00+01:00'],
      dimensions: ['visit:source'],
      filters: [],
      order_by: [
        ['visits', 'desc'],
        ['visit:source', 'asc'],
      ],
      pagination: { limit: 10_000, offset: 0 },
      attribution: { model: 'first_touch', lookback_days: null },
      include: {},
      timezone: 'Europe/Berlin',
    });
  });
});

describe('comparison with the previous period', () => {
  it('shows what each row of the page was before', async () => {
    const { results, query } = await ask({
      metrics: ['visits', 'revenue'],
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
        ['Hacker News', [null, null], [null, null]],
        ['Google', [1, { value: '0.00', currency: 'EUR' }], [-100, null]],
      ],
    );
  });
  it('meets days by their position', async () => {
    const { results } = await ask({
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
});

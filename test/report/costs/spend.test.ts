import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CostRow } from '#contract/rows/cost-row.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_NOW } from '../../worlds/bakery.ts';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';

type Spent = readonly [day: string, source: string, campaign: string, minor: number, code?: string];

/** What the bakery spent: of visits it knows, and on a source that brought nobody. */
const SPENT: readonly Spent[] = [
  ['2026-10-20', 'Google', 'autumn', 10_00],
  ['2026-11-02', 'Google', 'autumn', 20_00],
  ['2026-11-03', 'Google', 'winter', 5_01],
  ['2026-11-03', 'Kiosk', '', 7_00],
  ['2026-11-19', 'Hacker News', '', 3_00],
];

function toRow(
  [day, source, campaign, minor, currency = 'EUR']: Spent,
  siteId: string = BAKERY.id,
) {
  const channel = source === 'Google' ? 'Paid Search' : 'Paid Other';
  const row: Omit<CostRow, 'version'> = {
    ...{ site_id: siteId, day, source, medium: 'cpc', campaign, channel, currency },
    amount_minor: `${minor}`,
  };
  return row;
}

describe('spend beside revenue', () => {
  let bakery: Bakery;
  before(async () => {
    bakery = await openBakery();
    await bakery.addCosts([
      ...SPENT.map((spent) => toRow(spent)),
      toRow(['2026-11-02', 'Google', 'autumn', 2_00], SITE.id),
      toRow(['2026-11-02', 'Google', 'Winter', 1_00], SITE.id),
      toRow(['2026-11-02', 'Google', 'autumn', 4_00], 'site_won'),
      toRow(['2026-11-02', 'Naver', '', 5_000, 'KRW'], 'site_won'),
    ]);
  });
  after(() => bakery.close());

  it('stands in the row of its own source, those that brought nobody included', async () => {
    const metrics = ['cost', 'roas', 'revenue', 'cost_per_visitor', 'cost_per_customer'];
    assert.deepEqual(await bakery.lines({ metrics, dimensions: ['visit:source'] }), [
      'Google | 25.01 | 1.44 | 35.90 | 25.01 | 25.01',
      'Kiosk | 7.00 | 0 | 0.00 | null | null',
      'Hacker News | 3.00 | 0 | 0.00 | 1.50 | null',
      'Direct | 0.00 | null | 0.00 | 0.00 | null',
      'Newsletter | 0.00 | null | 0.00 | 0.00 | 0.00',
      'Unattributed | 0.00 | null | 25.55 | null | 0.00',
    ]);
  });

  it('stays with its source under every model, and roas divides what the model gives', async () => {
    const query = {
      ...{ metrics: ['cost', 'roas'], dimensions: ['visit:source'] },
      attribution: { models: ['first_touch' as const, 'last_touch' as const] },
      filters: [['is', 'visit:source', ['Google', 'Direct']]],
    };
    const { results, meta } = await bakery.ask(query);
    assert.deepEqual(meta.metrics, ['cost', 'roas:first_touch', 'roas:last_touch']);
    assert.deepEqual(
      results.map(({ dimensions, metrics }) => [dimensions[0], ...metrics.slice(1)]),
      // The last 10.00 came after a direct visit, and its refund goes back there.
      [
        ['Google', 1.44, 1.2],
        ['Direct', null, null],
      ],
    );
  });

  it('breaks down by campaign, medium, channel and first source, and by days, weeks and months', async () => {
    const by = (dimension: string) => bakery.lines({ metrics: ['cost'], dimensions: [dimension] });
    assert.deepEqual((await by('visit:campaign')).slice(0, 3), [
      ...['autumn | 20.00', '(none) | 10.00', 'winter | 5.01'],
    ]);
    assert.deepEqual((await by('visit:medium'))[0], 'cpc | 35.01');
    assert.deepEqual((await by('visit:channel')).slice(0, 2), [
      'Paid Search | 25.01',
      'Paid Other | 10.00',
    ]);
    assert.deepEqual((await by('visitor:first_source'))[0], 'Google | 25.01');
    assert.deepEqual(
      (await by('time:day')).filter((line) => !line.endsWith(' 0.00')),
      ['2026-11-02 | 20.00', '2026-11-03 | 12.01', '2026-11-19 | 3.00'],
    );
    assert.deepEqual((await by('time:week'))[1], '2026-11-02 | 32.01');
    assert.deepEqual(await by('time:month'), ['2026-11-01 | 35.01']);
    const day = { date_range: ['2026-11-02', '2026-11-02'] as [string, string] };
    const query = { metrics: ['cost'], dimensions: ['time'], ...day };
    assert.deepEqual(await bakery.lines(query), ['2026-11-02 | 20.00']);
  });

  it('is compared with the same days before, and adds up in the totals', async () => {
    const { results, totals } = await bakery.ask({
      metrics: ['cost', 'roas'],
      dimensions: ['visit:source'],
      filters: [['is', 'visit:channel', ['Paid Search', 'Paid Other']]],
      include: { compare: ['2026-10-01', '2026-10-31'], totals: true },
    });
    assert.deepEqual(results[0]?.comparison?.metrics, [{ value: '10.00', currency: 'EUR' }, 0]);
    assert.equal(results[0]?.comparison?.change[0], 150.1);
    assert.deepEqual(totals?.metrics[0], { value: '35.01', currency: 'EUR' });
  });

  it('lets “all” begin with the first cost, if nothing is earlier', async () => {
    const { query } = await bakery.ask({ metrics: ['cost'], date_range: 'all' });
    assert.match(query.date_range[0], /^2026-10-20T00:00:00\+02:00/);
  });

  it('has the same date in the zone of every query', async () => {
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const day = { date_range: ['2026-11-02', '2026-11-02'] as [string, string], timezone };
      assert.deepEqual(await bakery.lines({ metrics: ['cost'], ...day }), ['20.00']);
    }
  });

  it('belongs to the channels that a site has defined', async () => {
    const channels = [
      { name: 'Winter', where: [{ field: 'campaign', op: 'is', value: 'winter' }] },
      { name: 'No page', where: [{ field: 'entry_page', op: 'is', value: '/' }] },
    ] as const;
    const { breakdowns } = createReports({ warehouse: bakery.warehouse, now: () => BAKERY_NOW });
    const answer = await breakdowns.answer(
      { ...SITE, settings: { channels } },
      { ...ASKED, metrics: ['cost'], dimensions: ['visit:channel'] },
    );
    assert.ok(answer.ok);
    assert.deepEqual(
      answer.value.results.map(({ dimensions, metrics }) => [dimensions[0], metrics[0]]),
      [
        ['Paid Search', { value: '2.00', currency: 'EUR' }],
        ['Winter', { value: '1.00', currency: 'EUR' }],
      ],
    );
  });

  it('without a rate is in no sum, is named, and makes the ratios of its row null', async () => {
    const { breakdowns } = createReports({ warehouse: bakery.warehouse, now: () => BAKERY_NOW });
    const metrics = ['cost', 'roas', 'cost_per_visitor'];
    const answer = await breakdowns.answer({ ...SITE, id: 'site_won' }, { ...ASKED, metrics });
    assert.ok(answer.ok);
    const { results, meta } = answer.value;
    assert.deepEqual(results[0]?.metrics, [{ value: '4.00', currency: 'EUR' }, null, null]);
    const cost = { value: '5000', currency: 'KRW' };
    assert.deepEqual(meta.unconverted_costs, [{ currency: 'KRW', cost }]);
    const others = await breakdowns.answer(
      { ...SITE, id: 'site_won' },
      { ...ASKED, metrics: ['cost'], filters: [['is', 'visit:source', ['Google']]] },
    );
    assert.ok(others.ok && others.value.meta.unconverted_costs === undefined);
  });

  const REFUSED = [
    [
      'by country',
      { dimensions: ['visit:country'] },
      /^\/metrics\/0: cost cannot be broken down or filtered by visit:country: a cost has a source/,
    ],
    ['by page', { dimensions: ['event:page'] }, /by event:page/],
    [
      'by hour',
      { dimensions: ['time:hour'] },
      /cost cannot be counted by time:hour: costs are known by day/,
    ],
    ['filtered by device', { filters: [['is', 'visit:device', ['mobile']]] }, /by visit:device/],
    [
      'of visitors who did something',
      { filters: [['has_done', ['is', 'event:goal', ['signup']]]] },
      /a cost has no visitor/,
    ],
    [
      'by product',
      { dimensions: ['payment:product'] },
      /cost cannot be broken down or filtered by payment:product/,
    ],
    ['by cohort', { dimensions: ['visitor:cohort_week'] }, /by visitor:cohort_week/],
    [
      'by each of source and device',
      { dimensions: ['visit:source', 'visit:device'], separately: true },
      /by visit:device/,
    ],
  ] as const;
  for (const [how, query, message] of REFUSED) {
    it(`is refused ${how}, which a cost does not have`, async () => {
      const asked = { metrics: ['cost'], ...query } as unknown as Parameters<Bakery['faults']>[0];
      const faults = await bakery.faults(asked);
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', message);
      await bakery.ask({ ...asked, metrics: ['payments'] });
    });
  }
});

const SITE = { id: 'site_spend', timezone: 'UTC', currency: 'EUR' } as const;
const ASKED = { site_id: SITE.id, date_range: ['2026-11-01', '2026-11-30'] as [string, string] };

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

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
    ['new_visitors', 4],
    ['engagement_time', 0],
    ['scroll_depth', null],
    ['new_revenue', { value: '61.45', currency: 'EUR' }],
    ['renewal_revenue', { value: '0.00', currency: 'EUR' }],
    ['gross_new_revenue', { value: '165.45', currency: 'EUR' }],
    ['gross_renewal_revenue', { value: '0.00', currency: 'EUR' }],
    ['customers', 4], // anna, ben, cleo, and nobody's
    ['new_customers', 4],
    ['trials', 1],
    ['average_order_value', { value: '33.09', currency: 'EUR' }], // 165.45 / 5
    ['revenue_per_customer', { value: '15.36', currency: 'EUR' }], // 61.45 / 4
    ['time_to_purchase', 65_700], // anna after 24 hours, ben after 12½
    ['visits_to_purchase', 1],
    ['revenue_per_visitor', { value: '15.36', currency: 'EUR' }], // 61.45 / 4 = 15.3625
  ] as const;
  for (const [metric, value] of totals) {
    it(`has ${metric} of ${JSON.stringify(value)}`, async () => {
      const { results } = await bakery.ask({ metrics: [metric] });
      assert.deepEqual(results, [{ dimensions: [], metrics: [value] }]);
    });
  }

  it('answers all of it in one query', async () => {
    const { results } = await bakery.ask({ metrics: totals.map(([metric]) => metric) });
    assert.deepEqual(
      results[0]?.metrics,
      totals.map(([, value]) => value),
    );
  });

  it('names the money it could not convert', async () => {
    const { meta } = await bakery.ask({ metrics: ['revenue'] });
    assert.deepEqual(meta.unconverted, [
      {
        currency: 'USD',
        gross_revenue: { value: '50.00', currency: 'USD' },
        refunds: { value: '0.00', currency: 'USD' },
        payments: 1,
      },
    ]);
  });

  it('names it under a filter too, where the filter lets it in', async () => {
    const of = async (source: string) => {
      const filters = [['is', 'visit:source', [source]]];
      const { meta } = await bakery.ask({ metrics: ['revenue'], filters });
      return meta.unconverted?.map((money) => [money.gross_revenue.value, money.payments]);
    };
    assert.deepEqual(await of('Newsletter'), [['50.00', 1]], 'ben came by it');
    assert.equal(await of('Google'), undefined);
  });

  it('has nothing to divide by in an empty period', async () => {
    const metrics = [
      'visitors',
      'bounce_rate',
      'views_per_visit',
      'visit_duration',
      'conversion_rate',
    ];
    const { results } = await bakery.ask({
      metrics: [...metrics, 'revenue', 'revenue_per_visitor'],
      date_range: ['2020-01-01', '2020-01-31'],
    });
    const money = { value: '0.00', currency: 'EUR' };
    assert.deepEqual(results, [
      { dimensions: [], metrics: [0, null, null, null, null, money, null] },
    ]);
  });
});

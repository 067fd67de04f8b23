import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bakery, openBakery } from '../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe('order and pages', () => {
  it('orders by what is asked, money by amount', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['gross_revenue'],
        dimensions: ['visit:source'],
        order_by: [['gross_revenue', 'asc']],
      }),
      ['Hacker News | 0.00', 'Unattributed | 25.55', 'Google | 39.90', 'Newsletter | 100.00'],
    );
  });
  it('gives a page, and says how many rows there are', async () => {
    const { results, meta } = await bakery.ask({
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
    const { query } = await bakery.ask({
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

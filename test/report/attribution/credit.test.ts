import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SentQuery } from '#contract/query.ts';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe('credit', () => {
  const bySource = {
    metrics: ['revenue', 'payments', 'conversions'],
    dimensions: ['visit:source'],
  };

  it('goes to the first touch, and a refund takes it back there', async () => {
    assert.deepEqual(await bakery.lines(bySource), [
      'Google | 35.90 | 2 | 2',
      'Unattributed | 25.55 | 2 | 0',
      'Hacker News | 0.00 | 1 | 0',
      'Newsletter | 0.00 | 2 | 1',
    ]);
  });
  it('goes to the last touch before the payment, whatever came after it', async () => {
    assert.deepEqual(await bakery.lines({ ...bySource, attribution: { model: 'last_touch' } }), [
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
      const rows = await bakery.lines({
        metrics: ['revenue'],
        dimensions: ['visit:source', 'visit:campaign'],
        attribution: { model, lookback_days: lookbackDays },
      });
      const cents = rows.map((row) => Number(row.split(' | ').at(-1)?.replace('.', '')));
      assert.equal(
        cents.reduce((sum, value) => sum + value, 0),
        61_45,
      );
    });
  }
  it('forgets touches before the lookback window', async () => {
    const attribution = { model: 'first_touch', lookback_days: 2 } as const;
    assert.deepEqual(await bakery.lines({ ...bySource, attribution }), [
      'Google | 29.90 | 1 | 1',
      'Unattributed | 25.55 | 4 | 1', // and ben's dollars, ben's late signup, cleo's trial
      'Direct | 6.00 | 1 | 1',
      'Newsletter | 0.00 | 1 | 0',
    ]);
  });
  it('is shared out by the models that look at the whole path', async () => {
    const attribution = { model: 'linear' } as const;
    assert.deepEqual(await bakery.lines({ ...bySource, attribution }), [
      'Google | 32.90 | 1.5 | 1.5', // of anna's 10.00, less 4.00, and of her login
      'Unattributed | 25.55 | 2 | 0',
      'Direct | 3.00 | 0.5 | 0.5',
      'Hacker News | 0.00 | 1 | 0',
      'Newsletter | 0.00 | 2 | 1',
    ]);
  });
  it('comes once for each of several models, and order goes by any of them', async () => {
    const query = {
      metrics: ['visits', 'revenue'],
      dimensions: ['visit:source'],
      filters: [['is', 'visit:source', ['Google', 'Direct']]],
      attribution: { models: ['first_touch', 'linear'] },
      order_by: [['revenue:linear', 'asc']],
    } as const satisfies Partial<SentQuery>;
    assert.deepEqual(await bakery.lines(query), [
      'Direct | 2 | 0.00 | 3.00',
      'Google | 1 | 35.90 | 32.90',
    ]);
    const { meta, query: asked } = await bakery.ask(query);
    assert.deepEqual(meta.metrics, ['visits', 'revenue:first_touch', 'revenue:linear']);
    assert.deepEqual(asked.metrics, ['visits', 'revenue']);
    assert.deepEqual(asked.attribution, {
      models: ['first_touch', 'linear'],
      lookback_days: null,
    });
  });
  it('goes by one model or by several, not by both', async () => {
    const attribution = { model: 'linear' as const, models: ['linear' as const] };
    assert.deepEqual(await bakery.faults({ ...bySource, attribution }), [
      '/attribution/models: Give either model or models, not both.',
    ]);
  });
  it('counts converted visitors against the visitors of the same source', async () => {
    assert.deepEqual(
      await bakery.lines({
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

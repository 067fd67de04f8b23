import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_VIEW } from '../../address/address.ts';
import { cardMetricsOf, mayChartCosts, mayShowCosts } from './card-metrics.ts';

const SITE = { has_payments: true, has_costs: true } as const;
const of = (dimension: string) => ({
  ...DEFAULT_VIEW,
  filters: [{ dimension, operator: 'is', values: ['x'] }] as const,
});

describe('costs in the dashboard', () => {
  it('show under filters that a cost has, and no others', () => {
    assert.equal(mayShowCosts(SITE, of('visit:source')), true);
    assert.equal(mayShowCosts(SITE, of('visit:country')), false);
    assert.equal(mayShowCosts({ has_costs: false }, DEFAULT_VIEW), false);
  });

  it('are in the cards unless the chart has hours, and only of a site that has some', () => {
    assert.ok(cardMetricsOf(SITE, DEFAULT_VIEW).includes('roas'));
    assert.equal(cardMetricsOf(SITE, DEFAULT_VIEW).length, 8);
    for (const view of [
      { ...DEFAULT_VIEW, period: 'today' },
      { ...DEFAULT_VIEW, period: '7d', by: 'hour' },
      of('visit:device'),
    ]) {
      assert.equal(mayChartCosts(SITE, view), false);
      assert.ok(!cardMetricsOf(SITE, view).includes('cost'));
    }
    assert.ok(!cardMetricsOf({ ...SITE, has_costs: false }, DEFAULT_VIEW).includes('cost'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_VIEW } from '../../address/address.ts';
import {
  cardMetricsOf,
  chosenUnit,
  countDays,
  mayChart,
  mayShowCosts,
  timeDimension,
  unitsFor,
} from './card-metrics.ts';

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

  it('are in the cards of whole days, and only of a site that has some', () => {
    for (const period of ['30d', 'today', 'yesterday']) {
      const cards = cardMetricsOf(SITE, { ...DEFAULT_VIEW, period });
      assert.ok(cards.includes('roas'), period);
      assert.equal(cards.length, 8);
    }
    for (const view of [{ ...DEFAULT_VIEW, period: '24h' }, of('visit:device')]) {
      assert.ok(!cardMetricsOf(SITE, view).includes('cost'));
    }
    assert.ok(!cardMetricsOf({ ...SITE, has_costs: false }, DEFAULT_VIEW).includes('cost'));
  });

  it('are in the chart unless it has hours', () => {
    assert.equal(mayChart('cost', SITE, DEFAULT_VIEW), true);
    const byHour = { ...DEFAULT_VIEW, period: '7d', by: 'hour' };
    for (const view of [{ ...DEFAULT_VIEW, period: 'today' }, byHour, of('visit:device')]) {
      assert.equal(mayChart('cost', SITE, view), false);
      assert.equal(mayChart('visitors', SITE, view), true);
    }
  });
});

describe('the units of the chart', () => {
  const cases = [
    ['today', ['hour']],
    ['24h', ['hour']],
    ['7d', ['hour', 'day']],
    ['30d', ['day', 'week']],
    ['91d', ['day', 'week', 'month']],
    ['6mo', ['day', 'week', 'month']],
    ['year', ['day', 'week', 'month']],
    ['24mo', ['week', 'month']],
    ['all', ['day', 'week', 'month']],
  ] as const;
  for (const [period, units] of cases) {
    it(`are ${units.join(', ')} for ${period}`, () => {
      assert.deepEqual(unitsFor(countDays({ period, from: '', to: '' })), units);
    });
  }

  it('count both days of chosen ones', () => {
    assert.equal(countDays({ period: 'custom', from: '2026-03-28', to: '2026-03-30' }), 3);
  });

  it('are left to the API when the one asked for does not go with the period', () => {
    assert.equal(chosenUnit({ ...DEFAULT_VIEW, period: 'year', by: 'hour' }), 'auto');
    assert.equal(chosenUnit({ ...DEFAULT_VIEW, period: 'year', by: 'week' }), 'week');
    assert.equal(timeDimension('auto'), 'time');
    assert.equal(timeDimension('week'), 'time:week');
  });
});

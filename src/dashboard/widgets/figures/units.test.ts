import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_VIEW } from '../../address/address.ts';
import { chosenUnit, countDays, timeDimension, unitsFor } from './units.ts';

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

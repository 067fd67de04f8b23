import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_VIEW } from '../../../address/address.ts';
import { foldHours, latestDays } from './hours.ts';

const hour = (name: string, visitors: number, revenue = '0') => ({
  dimensions: [name],
  metrics: [visitors, { value: revenue, currency: 'EUR' }],
});

describe('the hours of a week', () => {
  it('sum the same hour of every week, from Monday on', () => {
    const week = foldHours([hour('2026-11-23 14:00:00', 3), hour('2026-11-16 14:00:00', 4)], 0);
    assert.equal(week[0]?.[14], 7);
    assert.equal(
      week.flat().reduce((sum, each) => sum + each, 0),
      7,
    );
    assert.equal(foldHours([hour('2026-11-22 00:00:00', 3)], 0)[6]?.[0], 3);
  });

  it('take an hour that clocks repeat twice', () => {
    const twice = [hour('2026-10-25 02:00:00+02:00', 1), hour('2026-10-25 02:00:00+01:00', 2)];
    assert.equal(foldHours(twice, 0)[6]?.[2], 3);
  });

  it('sum money too', () => {
    assert.equal(foldHours([hour('2026-11-23 09:00:00', 1, '12.50')], 1)[0]?.[9], 12.5);
  });
});

const TODAY = '2026-11-27';
const shown = (period: string, from = '', to = '') => {
  const view = { ...DEFAULT_VIEW, period, from, to };
  const latest = latestDays(view, TODAY);
  return latest === view ? 'as it is' : `${latest.period} ${latest.from} ${latest.to}`;
};

describe('the days whose hours are shown', () => {
  it('are all of a period that is short enough', () => {
    for (const period of ['30d', 'day', '24h', '12mo', 'year', '416d']) {
      assert.equal(shown(period), 'as it is', period);
    }
    assert.equal(shown('custom', '2024-01-01', '2025-02-19'), 'as it is');
  });

  it('are the latest of a longer one', () => {
    assert.equal(shown('417d'), 'custom 2025-10-08 2026-11-27');
    assert.equal(shown('all'), 'custom 2025-10-08 2026-11-27');
    assert.equal(shown('custom', '2024-01-01', '2025-02-20'), 'custom 2024-01-02 2025-02-20');
  });
});

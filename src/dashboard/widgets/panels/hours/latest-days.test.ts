import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_VIEW } from '../../../address/address.ts';
import { latestDays } from './latest-days.ts';

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

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatIn } from '../format/intl-forms.ts';
import { MODELS } from '../format/models.ts';
import {
  addMonths,
  daysOf,
  monthsBefore,
  nameAttribution,
  nameComparison,
  namePeriod,
  stepPeriod,
} from './periods.ts';

describe('the days of a period', () => {
  const today = '2026-03-31';
  const cases = [
    ['today', ['2026-03-31', '2026-03-31']],
    ['yesterday', ['2026-03-30', '2026-03-30']],
    ['7d', ['2026-03-25', '2026-03-31']],
    ['30d', ['2026-03-02', '2026-03-31']],
    ['month', ['2026-03-01', '2026-03-31']],
    ['last_month', ['2026-02-01', '2026-02-28']],
    ['12mo', ['2025-04-01', '2026-03-31']],
    ['year', ['2026-01-01', '2026-03-31']],
    ['all', undefined],
    ['24h', undefined],
  ] as const;
  for (const [period, days] of cases) {
    it(`of ${period}`, () => {
      assert.deepEqual(daysOf({ period, from: '', to: '' }, today), days);
    });
  }

  it('are the chosen ones when they are chosen', () => {
    const view = { period: 'custom', from: '2024-02-29', to: '2024-03-01' };
    assert.deepEqual(daysOf(view, today), ['2024-02-29', '2024-03-01']);
  });

  it('of last month in January lie in the year before', () => {
    const view = { period: 'last_month', from: '', to: '' };
    assert.deepEqual(daysOf(view, '2026-01-15'), ['2025-12-01', '2025-12-31']);
  });

  it('of months later begin with the first', () => {
    assert.equal(addMonths('2026-01-31', 1), '2026-02-01');
  });
});

describe('a step from a period', () => {
  const today = '2026-11-20';
  const written = (period: string, step: -1 | 1, from = '', to = '') => {
    const next = stepPeriod({ period, from, to }, today, step);
    return next && [next.period, next.from, next.to].filter(Boolean).join(' ');
  };
  const back = [
    ['today', 'yesterday'],
    ['yesterday', 'custom 2026-11-18 2026-11-18'],
    ['7d', 'custom 2026-11-07 2026-11-13'],
    ['month', 'last_month'],
    ['last_month', 'custom 2026-09-01 2026-09-30'],
    ['year', 'custom 2025-01-01 2025-12-31'],
    ['12mo', 'custom 2024-12-01 2025-11-30'],
    ['all', undefined],
    ['24h', undefined],
  ] as const;
  for (const [period, before] of back) {
    it(`back from ${period}`, () => assert.equal(written(period, -1), before));
  }

  it('forward ends with today, and none leads beyond', () => {
    assert.equal(written('custom', 1, '2026-11-07', '2026-11-13'), '7d');
    assert.equal(written('custom', 1, '2026-10-01', '2026-10-31'), 'month');
    assert.equal(written('custom', 1, '2026-11-10', '2026-11-18'), 'custom 2026-11-19 2026-11-20');
    assert.equal(written('7d', 1), undefined);
    const onThe30th = stepPeriod({ period: 'last_month', from: '', to: '' }, '2026-11-30', 1);
    assert.equal(onThe30th?.period, 'month');
  });
});

describe('a period is compared with', () => {
  const today = '2026-11-20';
  const compared = (period: string, from = '', to = '', at = today) =>
    monthsBefore({ period, from, to }, at)?.join(' ');

  const months = [
    ['last_month', '2026-09-01 2026-09-30'],
    ['month', '2026-10-01 2026-10-20'],
    ['year', '2025-01-01 2025-11-20'],
    ['12mo', '2024-12-01 2025-11-20'],
  ] as const;
  for (const [period, days] of months) {
    it(`months, as much of them as has passed: ${period}`, () => {
      assert.equal(compared(period), days);
    });
  }

  it('all of a month that is shorter than what has passed', () => {
    assert.equal(compared('month', '', '', '2026-03-31'), '2026-02-01 2026-02-28');
    assert.equal(compared('custom', '2026-10-01', '2026-10-31'), '2026-09-01 2026-09-30');
  });

  it('what the server takes, where it is of days', () => {
    assert.equal(compared('30d'), undefined);
    assert.equal(compared('custom', '2026-11-02', '2026-11-15'), undefined);
    assert.equal(compared('all'), undefined);
  });
});

before(() => formatIn('en-GB'));
after(() => formatIn());

describe('the bar says', () => {
  it('models in words', () => {
    assert.deepEqual(
      MODELS.map(({ label }) => label),
      [
        ...['First touch', 'Last touch', 'First non-direct', 'Last non-direct'],
        ...['Linear', 'Position-based', 'Time decay', 'Data-driven'],
      ],
    );
  });

  it('the model with its window', () => {
    assert.equal(nameAttribution({ model: 'linear', window: 'all' }), 'Linear · all time');
    assert.equal(nameAttribution({ model: 'linear', window: '30' }), 'Linear · 30 days');
  });

  it('periods in words, also those without an entry in the menu', () => {
    assert.deepEqual(['30d', 'last_month', '24h', '91d', '1d', '6mo', 'day'].map(namePeriod), [
      ...['Last 30 days', 'Last month', 'Last 24 hours', 'Last 91 days', 'Last 1 day'],
      ...['Last 6 months', 'Today'],
    ]);
  });

  it('what is compared', () => {
    assert.equal(nameComparison('previous'), 'vs previous period');
    assert.equal(nameComparison('off'), 'No comparison');
    assert.match(nameComparison('2020-10-01..2020-10-31'), /^vs 1\s*–\s*31 Oct 2020$/);
  });
});

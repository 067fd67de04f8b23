import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldHours } from './fold-hours.ts';

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

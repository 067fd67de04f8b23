import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptSince, parseRetention } from './parse-retention.ts';

describe('a retention', () => {
  it('is counted in days, months or years', () => {
    assert.deepEqual(parseRetention('90d'), { count: 90, unit: 'days' });
    assert.deepEqual(parseRetention('25mo'), { count: 25, unit: 'months' });
    assert.deepEqual(parseRetention('2y'), { count: 2, unit: 'years' });
  });

  for (const text of ['', '0d', '25', '25m', '-1d', '1.5y', '21y', '241mo', '7301d', '1 d', '1D']) {
    it(`is not "${text}"`, () => assert.equal(parseRetention(text), undefined));
  }

  const cases = [
    ['90d', '2026-11-20T23:30:00Z', '2026-08-22T22:00:00Z'], // The 21st already, in Berlin.
    ['25mo', '2026-03-31T12:00:00Z', '2024-02-28T23:00:00Z'], // February has no 31st.
    ['2y', '2026-11-21T12:00:00Z', '2024-11-20T23:00:00Z'],
  ] as const;
  for (const [text, at, since] of cases) {
    it(`of ${text} at ${at} keeps what came since ${since}`, () => {
      const retention = parseRetention(text);
      assert.ok(retention !== undefined);
      assert.equal(keptSince(retention, Date.parse(at), 'Europe/Berlin'), Date.parse(since));
    });
  }
});

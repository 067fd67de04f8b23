import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptSince, parseRetention } from '#domain/time/parse-retention.ts';
import { findDeletedBefore, firstKeptDay } from './first-kept-day.ts';

describe('the first day that is kept', () => {
  it('is the day of the server', () => {
    for (const today of ['2026-11-27', '2026-03-31', '2024-02-29', '2026-01-01']) {
      for (const text of ['1d', '90d', '7300d', '1mo', '25mo', '240mo', '1y', '2y', '20y']) {
        const retention = parseRetention(text);
        assert.ok(retention !== undefined);
        const since = keptSince(retention, Date.parse(`${today}T12:00Z`), 'UTC');
        const day = new Date(since).toISOString().slice(0, 10);
        assert.equal(firstKeptDay(text, today), day, `${text} on ${today}`);
      }
    }
  });

  it('is none if all days are kept, or the text is no retention', () => {
    assert.equal(firstKeptDay('', '2026-11-27'), undefined);
    assert.equal(firstKeptDay('soon', '2026-11-27'), undefined);
  });
});

describe('a change of retention', () => {
  const cases = [
    ['deletes what is older, set for the first time', '', '30d', '2026-10-28'],
    ['deletes what is older, if it gets shorter', '2y', '2mo', '2026-09-27'],
    ['deletes nothing if it gets longer', '90d', '2y', undefined],
    ['deletes nothing if it means the same', '24mo', '2y', undefined],
    ['deletes nothing if it ends', '90d', '', undefined],
    ['deletes nothing if it is none', '90d', 'soon', undefined],
  ] as const;
  for (const [rule, from, to, day] of cases) {
    it(rule, () => assert.equal(findDeletedBefore({ from, to }, '2026-11-27'), day));
  }
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatBucket, formatTick } from './dates.ts';

it('a month has its year in full, so that it reads as no day', () => {
  assert.equal(formatTick('2026-08-01', 'month', 'en-US'), 'Aug 2026');
  assert.equal(formatTick('2026-08-01', 'week', 'en-US'), 'Aug 1');
});

it('the two hours of a day that has one of them twice are told apart', () => {
  const of = (offset: string) => formatBucket(`2026-10-25 02:00:00${offset}`, 'hour', 'en-GB');
  assert.equal(of('+02:00'), 'Sun, 25 Oct 2026, 2:00 (UTC+02:00)');
  assert.equal(of('-01:00'), 'Sun, 25 Oct 2026, 2:00 (UTC−01:00)');
  assert.equal(of(''), 'Sun, 25 Oct 2026, 2:00');
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatTick } from './dates.ts';

it('a month has its year in full, so that it reads as no day', () => {
  assert.equal(formatTick('2026-08-01', 'month', 'en-US'), 'Aug 2026');
  assert.equal(formatTick('2026-08-01', 'week', 'en-US'), 'Aug 1');
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DURATION_MAX_MS, parseDuration } from './parse-duration.ts';

describe('a duration', () => {
  const cases = [
    ['90d', 7_776_000_000],
    ['24h', 86_400_000],
    ['0m', 0],
    ['2w', 1_209_600_000],
    ['36500d', DURATION_MAX_MS],
    ['90', undefined],
    ['d', undefined],
    ['-1d', undefined],
    ['1.5h', undefined],
    ['1d ', undefined],
    ['', undefined],
  ] as const;
  for (const [text, ms] of cases) {
    it(`${JSON.stringify(text)} is ${ms ?? 'none'}`, () => assert.equal(parseDuration(text), ms));
  }
});

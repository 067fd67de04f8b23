import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDuration } from './parse-duration.ts';

describe('a duration', () => {
  const cases = [
    ['90d', 7_776_000_000],
    ['24h', 86_400_000],
    ['0m', 0],
    ['2w', 1_209_600_000],
    ['36500d', 3_153_600_000_000],
  ] as const;
  for (const [text, ms] of cases) {
    it(`${JSON.stringify(text)} is ${ms} ms`, () => assert.equal(parseDuration(text), ms));
  }

  for (const text of ['90', 'd', '-1d', '1.5h', '1d ', '']) {
    it(`${JSON.stringify(text)} is none`, () =>
      assert.throws(() => parseDuration(text), /A duration looks like/));
  }

  it('of more than a hundred years is too long', () =>
    assert.throws(() => parseDuration('36501d'), /at most 100 years/));
});

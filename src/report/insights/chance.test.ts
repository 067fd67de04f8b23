import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { binomialChance, keepDiscoveries, studentChance } from './chance.ts';

const isNear = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) <= 1e-6 * Math.max(expected, 1e-3), `${found}, ${expected}`);

describe('the chance of a difference', () => {
  const coins = [
    ['ten heads of ten', 10, 10, 0.5, 2 / 1024],
    ['eight heads of ten', 8, 10, 0.5, (2 * (45 + 10 + 1)) / 1024],
    ['two heads of ten, as many as eight', 2, 10, 0.5, (2 * (45 + 10 + 1)) / 1024],
    ['half of them', 5, 10, 0.5, 1],
    ['none of three in a ninth', 0, 3, 1 / 9, 1],
    ['four of four in a ninth', 4, 4, 1 / 9, 2 / 9 ** 4],
  ] as const;
  for (const [rule, k, n, probability, expected] of coins) {
    it(`is exact for ${rule}`, () => isNear(binomialChance(k, n, probability), expected));
  }

  it('is that of the normal distribution for a million events', () => {
    // 1.96 standard deviations of 500 from 500,000.
    isNear(Math.round(100 * binomialChance(500_980, 1_000_000, 0.5)) / 100, 0.05);
  });

  const tails = [
    ['one degree, whose quarter lies beyond 1', 1, 1, 0.5],
    ['seven degrees, from a printed table', 2.3646, 7, 0.05],
    ['fourteen, from a printed table', 4.1405, 14, 0.001],
    ['no distance', 0, 7, 1],
  ] as const;
  for (const [rule, t, degrees, expected] of tails) {
    it(`is that of Student’s t with ${rule}`, () => {
      assert.ok(Math.abs(studentChance(t, degrees) / expected - 1) < 1e-3);
    });
  }
});

describe('findings among many that were tried', () => {
  const tried = (...chances: number[]) => chances.map((chance) => ({ chance }));

  it('need the more certainty the more were tried', () => {
    assert.equal(keepDiscoveries(tried(0.04), 0.05).length, 1);
    assert.equal(keepDiscoveries(tried(0.04, 0.5), 0.05).length, 0);
  });

  it('help each other: the second may be twice as likely', () => {
    // By hand, of four: 0.0125, 0.025, 0.0375, 0.05.
    const kept = keepDiscoveries(tried(0.9, 0.02, 0.01, 0.2), 0.05);
    assert.deepEqual(kept, tried(0.01, 0.02));
  });

  it('are none if nothing was tried', () => assert.deepEqual(keepDiscoveries([], 0.05), []));
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chanceOfChange, chanceOfContrast, chanceOfRanks, spreadOf } from './change.ts';

const weeks = (...counts: number[]) => counts.map((count) => ({ count, of: 1 }));
const ALONE = { squares: 0, degrees: 0 };

describe('a week', () => {
  it('differs by chance alone where it is as the others', () => {
    const before = weeks(100, 110, 90, 100);
    assert.equal(chanceOfChange({ now: { count: 100, of: 1 }, before }, ALONE), 1);
  });

  it('stands out of even weeks, and not of weeks that vary as much', () => {
    const now = { count: 180, of: 1 };
    const even = weeks(100, 104, 96, 101, 99, 103, 97, 100);
    const wild = weeks(100, 180, 40, 150, 60, 170, 30, 70);
    assert.ok(chanceOfChange({ now, before: even }, ALONE) < 1e-3);
    assert.ok(chanceOfChange({ now, before: wild }, ALONE) > 0.1);
  });

  it('stands out less where others of its kind vary', () => {
    const series = {
      now: { count: 180, of: 1 },
      before: weeks(100, 104, 96, 101, 99, 103, 97, 100),
    };
    const calm = { squares: 70, degrees: 70 };
    const wild = { squares: 1_400, degrees: 70 };
    assert.ok(chanceOfChange(series, wild) > 100 * chanceOfChange(series, calm));
  });

  it('with four first payments after eight weeks without any is no chance', () => {
    const before = weeks(0, 0, 0, 0, 0, 0, 0, 0);
    const chance = chanceOfChange({ now: { count: 4, of: 1 }, before }, ALONE);
    assert.ok(Math.abs(chance - 2 / 9 ** 4) < 1e-9); // Each of the four is of this week once in nine.
  });

  it('is compared by rates: twice the buyers of twice the visitors are no change', () => {
    const before = Array.from({ length: 8 }, () => ({ count: 10, of: 1_000 }));
    assert.ok(chanceOfChange({ now: { count: 20, of: 2_000 }, before }, ALONE) > 0.9);
    assert.ok(chanceOfChange({ now: { count: 40, of: 1_000 }, before }, ALONE) < 1e-3);
  });

  it('varies by the squares of what is expected', () => {
    // 8, 12 of 10 each: 4/10 twice.
    assert.deepEqual(spreadOf(weeks(8, 12)), { squares: 0.8, degrees: 1 });
  });
});

describe('two groups', () => {
  it('of the same rate differ by chance', () => {
    assert.ok(chanceOfContrast({ count: 10, of: 1_000 }, { count: 100, of: 10_000 }) > 0.9);
  });
  it('of other rates do not', () => {
    assert.ok(chanceOfContrast({ count: 40, of: 1_000 }, { count: 100, of: 10_000 }) < 1e-6);
  });
});

describe('amounts of days', () => {
  const before = Array.from({ length: 56 }, (_, day) => (day % 3 === 0 ? 20 : 0));

  it('are ranked, so that a single huge one is no change', () => {
    assert.ok(chanceOfRanks([0, 0, 1_000_000, 20, 0, 0, 20], before) > 0.3);
  });
  it('stand out where every day has more', () => {
    assert.ok(chanceOfRanks([60, 50, 80, 90, 40, 60, 70], before) < 1e-4);
  });
  it('say nothing where all are the same', () => assert.equal(chanceOfRanks([0, 0], [0, 0]), 1));
});

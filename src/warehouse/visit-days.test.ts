import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toBases, type VisitDay } from './visit-days.ts';

const DAY_MS = 86_400_000;

describe('what the counts of a day are made of', () => {
  it('changes with every day up to it, and with none after', () => {
    const before = toBases([day(10, 1n), day(11, 2n), day(12, 3n)]);
    const after = toBases([day(10, 1n), day(11, 7n), day(12, 3n)]);
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.notEqual(after[2], before[2]);
  });

  it('changes with the day after, where a visit of that began with an event before midnight', () => {
    const early = { earliestAt: 12 * DAY_MS - 1 };
    const before = toBases([day(11, 2n), day(12, 3n, early)]);
    const after = toBases([day(11, 2n), day(12, 4n, early)]);
    assert.notEqual(after[0], before[0]);
    assert.deepEqual(toBases([day(11, 2n), day(12, 3n)])[0], toBases([day(11, 2n)])[0]);
  });

  it('is not known where an event lies more than a day before its visit', () => {
    const farBack = { earliestAt: 12 * DAY_MS - 1 };
    const [first, second, third] = toBases([day(11, 1n), day(12, 2n), day(13, 3n, farBack)]);
    assert.equal(first, undefined);
    assert.notEqual(second, undefined);
    assert.notEqual(third, undefined);
  });

  it('stays within 64 bits', () => {
    const most = 2n ** 64n - 1n;
    assert.deepEqual(toBases([day(1, most), day(2, 2n)]), [most, 1n]);
  });
});

function day(number: number, mark: bigint, more: Partial<VisitDay> = {}): VisitDay {
  return { day: number, mark, events: 1, earliestAt: number * DAY_MS, isSettled: true, ...more };
}

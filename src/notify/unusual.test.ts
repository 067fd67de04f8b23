import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUnusual } from './unusual.ts';

const COUNT = { countMin: 20 };

describe('what is far from usual', () => {
  it('is a count that chance does not make of the weeks before', () => {
    const weeks = [100, 110, 95, 105, 98];
    assert.deepEqual(findUnusual(20, weeks, COUNT), { expected: 100, isMore: false });
    assert.deepEqual(findUnusual(300, weeks, COUNT), { expected: 100, isMore: true });
    assert.equal(findUnusual(75, weeks, COUNT), undefined);
    assert.equal(findUnusual(139, weeks, COUNT), undefined);
  });

  it('is measured by how much the weeks differ, of which one may be odd', () => {
    assert.equal(findUnusual(20, [100, 30, 200, 60, 150], COUNT), undefined);
    assert.equal(findUnusual(100, [100, 5_000, 101, 99, 100], COUNT), undefined);
    assert.ok(findUnusual(5_000, [100, 5_000, 101, 99, 100], COUNT));
  });

  it('is nothing where there is little, or little history', () => {
    assert.equal(findUnusual(0, [5, 6, 4, 5, 6], COUNT), undefined);
    assert.equal(findUnusual(0, [500, 500, 500], COUNT), undefined);
  });

  it('takes more of money of few payments', () => {
    const weeks = [1_000, 1_100, 950, 1_050, 1_000];
    const of = (payments: number) => ({ countMin: 5, units: weeks.map(() => payments) });
    assert.equal(findUnusual(0, weeks, of(10)), undefined);
    assert.ok(findUnusual(0, weeks, of(100)));
    assert.equal(findUnusual(500, weeks, of(100)), undefined);
  });
});

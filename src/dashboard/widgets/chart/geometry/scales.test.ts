import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extentOf, toScales } from './scales.ts';

const count = (min: number, max: number) => ({ min, max, unit: 'count' as const });
const money = (min: number, max: number) => ({ min, max, unit: 'money' as const });

describe('the axes of the chart', () => {
  it('share the line of zero, with refunds below it', () => {
    const { zeroY, left, right } = toScales(count(0, 480), money(-60, 900), 220);
    assert.equal(left.toY(0), zeroY);
    assert.equal(right.toY(0), zeroY);
    assert.ok(zeroY < 220);
    assert.ok(Math.abs(right.toY(-60) - 220) < 1e-9);
    assert.ok(left.toY(480) >= 0 && right.toY(900) >= 0);
  });

  it('have round steps that meet on the same lines', () => {
    const { grid, left, right } = toScales(count(0, 480), money(0, 710), 220);
    assert.deepEqual([left.step, right.step], [200, 250]);
    assert.deepEqual(grid, [0, 1, 2, 3]);
    assert.equal(left.toY(left.step), right.toY(right.step));
  });

  it('end close above the largest value', () => {
    const { grid, right } = toScales(count(0, 280), money(0, 770), 220);
    assert.equal(right.step * (grid.length - 1), 900);
  });

  it('count people in whole steps', () => {
    assert.equal(toScales(count(0, 2), money(0, 0), 220).left.step, 1);
    assert.equal(toScales(count(0, 8), money(0, 0), 220).left.step % 1, 0);
  });

  it('measure durations by the clock', () => {
    const { left } = toScales({ min: 0, max: 161, unit: 'seconds' }, money(0, 0), 220);
    assert.equal(left.step, 60);
  });

  it('draw zeros where there is nothing', () => {
    const { zeroY, left, right } = toScales(count(0, 0), money(0, 0), 220);
    assert.equal(zeroY, 220);
    assert.deepEqual([left.toY(0), right.toY(0)], [220, 220]);
  });

  it('give way to refunds that are larger than all else', () => {
    const { left, right } = toScales(count(0, 3), money(-5_000, 10), 220);
    assert.ok(right.toY(-5_000) <= 220 + 1e-9);
    assert.ok(left.toY(3) >= 0 && left.toY(3) < left.toY(0));
  });

  it('reach to zero whatever the values are', () => {
    assert.deepEqual(extentOf([3, null, 9]), { min: 0, max: 9 });
    assert.deepEqual(extentOf([-3]), { min: -3, max: 0 });
    assert.deepEqual(extentOf([]), { min: 0, max: 0 });
  });
});

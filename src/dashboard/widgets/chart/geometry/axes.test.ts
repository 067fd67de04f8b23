import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatIn } from '../../../format/intl-forms.ts';
import { extentOf, toScales, toTicks } from './axes.ts';

before(() => formatIn('en-GB'));
after(() => formatIn());

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

const texts = (...given: Parameters<typeof toTicks>) => toTicks(...given).map(({ text }) => text);

function hours(day: string, from: number, to: number): string[] {
  return Array.from(
    { length: to - from + 1 },
    (_, index) => `${day} ${String(from + index).padStart(2, '0')}:00:00`,
  );
}

function days(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );
}

describe('the texts below the chart', () => {
  it('are every fifth of thirty days, and fewer on a phone', () => {
    const shown = texts(days('2026-10-24', 30), 'day', 1_000);
    assert.deepEqual(shown, ['24 Oct', '29 Oct', '3 Nov', '8 Nov', '13 Nov', '18 Nov']);
    assert.equal(texts(days('2026-10-24', 30), 'day', 240).length, 3);
  });

  it('are firsts of months when days are many', () => {
    const shown = texts(days('2026-01-10', 300), 'day', 700);
    assert.ok(shown.length > 2 && shown.every((text) => text.startsWith('1 ')), shown.join());
  });

  it('stay on full hours of the wall clock on the day of 25 hours', () => {
    const long = [
      ...hours('2026-10-25', 0, 1),
      '2026-10-25 02:00:00+02:00',
      '2026-10-25 02:00:00+01:00',
      ...hours('2026-10-25', 3, 23),
    ];
    const ticks = toTicks(long, 'hour', 640);
    assert.deepEqual(
      ticks.map(({ text }) => text),
      ['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'],
    );
    assert.equal(ticks[1]?.index, 4);
    assert.equal(toTicks(long, 'hour', 2_000).filter(({ text }) => text === '02:00').length, 1);
  });

  it('stay on full hours of the wall clock on the day of 23 hours', () => {
    const short = [...hours('2026-03-29', 0, 1), ...hours('2026-03-29', 3, 23)];
    const ticks = toTicks(short, 'hour', 640);
    assert.deepEqual(ticks.slice(0, 3), [
      { index: 0, text: '00:00' },
      { index: 2, text: '03:00' },
      { index: 5, text: '06:00' },
    ]);
  });

  it('name the day at midnight when hours run over several days', () => {
    const two = [...hours('2026-11-21', 0, 23), ...hours('2026-11-22', 0, 23)];
    assert.deepEqual(texts(two, 'hour', 400), ['21 Nov', '12:00', '22 Nov', '12:00']);
  });

  it('hold for weeks, for months and for one bucket', () => {
    const weeks = ['2026-10-19', '2026-10-26', '2026-11-02'];
    assert.deepEqual(texts(weeks, 'week', 900), ['19 Oct', '26 Oct', '2 Nov']);
    const months = ['2026-09-01', '2026-10-01', '2026-11-01'];
    assert.equal(texts(months, 'month', 900).length, 3);
    assert.deepEqual(texts(['2026-11-21'], 'day', 900), ['21 Nov']);
    assert.deepEqual(texts([], 'day', 900), []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { zoomDays } from './buckets.ts';
import {
  besideCursor,
  bucketAt,
  middleOf,
  placeAnnotations,
  toLayout,
  toLinePaths,
  toNoteMarks,
} from './layout.ts';

const layout = toLayout(360, 30, { left: 3, right: 4 });

describe('what is under the pointer', () => {
  it('is the bucket whose middle this is', () => {
    for (const index of [0, 7, 29]) {
      assert.equal(bucketAt(layout, middleOf(layout, index), 30), index);
    }
  });

  it('is the nearest bucket beside the plot, and none ahead of the present', () => {
    assert.equal(bucketAt(layout, -20, 30), 0);
    assert.equal(bucketAt(layout, 900, 30), 29);
    assert.equal(bucketAt(layout, 900, 12), 11);
    assert.equal(bucketAt(layout, 900, 0), 0);
  });

  it('has its tooltip beside it and within the chart', () => {
    for (let x = 0; x <= 360; x += 10) {
      const start = besideCursor(layout, x, 248);
      assert.ok(start >= 0 && start + 248 <= 360);
    }
  });
});

describe('the line', () => {
  const at = (x: number, y: number | undefined, isPartial = false) => ({ x, y, isPartial });

  it('is dotted to the unfinished bucket', () => {
    const { solid, dotted, lone } = toLinePaths([at(0, 5), at(10, 6), at(20, 2, true)]);
    assert.deepEqual([solid, dotted, lone], ['M0,5L10,6', 'M10,6L20,2', []]);
  });

  it('has gaps where there is no value, and a dot where one stands alone', () => {
    const paths = toLinePaths([
      at(0, 5),
      at(10, 6),
      at(20, undefined),
      at(30, 7),
      at(40, undefined),
    ]);
    assert.deepEqual(paths, { solid: 'M0,5L10,6', dotted: '', lone: [{ x: 30, y: 7 }] });
    assert.doesNotMatch(JSON.stringify(toLinePaths([])), /NaN/);
  });
});

describe('zooming', () => {
  const range = ['2026-10-25T00:00:00+02:00', '2026-11-24T00:00:00+01:00'];

  it('goes from one day to another, whichever way it is dragged', () => {
    const days = { from: '2026-11-02', to: '2026-11-05' };
    assert.deepEqual(zoomDays('2026-11-02', '2026-11-05', 'day', range), days);
    assert.deepEqual(zoomDays('2026-11-05', '2026-11-02', 'day', range), days);
  });

  it('takes whole weeks and months, and none of what is beyond the period', () => {
    assert.deepEqual(zoomDays('2026-10-19', '2026-10-26', 'week', range), {
      from: '2026-10-25',
      to: '2026-11-01',
    });
    assert.deepEqual(zoomDays('2026-11-01', '2026-11-01', 'month', range), {
      from: '2026-11-01',
      to: '2026-11-23',
    });
  });

  it('takes the days of hours', () => {
    const [one, other] = ['2026-11-02 22:00:00', '2026-11-03 23:00:00'];
    assert.deepEqual(zoomDays(one, other, 'hour', range), { from: '2026-11-02', to: '2026-11-03' });
  });

  it('changes nothing when all is chosen', () => {
    assert.equal(zoomDays('2026-10-25', '2026-11-23', 'day', range), undefined);
  });
});

describe('notes', () => {
  const none = { value: '0', currency: 'EUR' };
  const bucket = (label: string) => ({
    ...{ label, newIn: none, renewalsIn: none, refunds: none, isPartial: false },
  });

  const note = (at: string, text: string) => ({ id: text, at, text });
  const place = (notes: ReturnType<typeof note>[], labels: string[], unit: 'hour' | 'week') =>
    [...placeAnnotations(notes, labels.map(bucket), unit)].map(([index, there]) => [
      index,
      there.map(({ text }) => text).join(),
    ]);

  it('are at the bucket of their day, week or hour', () => {
    const launch = note('2026-11-05', 'launch');
    assert.deepEqual(place([launch], ['2026-11-02', '2026-11-09'], 'week'), [[0, 'launch']]);
    const hours = ['2026-11-02 00:00:00', '2026-11-02 01:00:00'];
    const notes = [note('2026-11-02 01:30:00', 'a moment'), note('2026-11-02', 'a day')];
    assert.deepEqual(place(notes, hours, 'hour'), [
      [0, 'a day'],
      [1, 'a moment'],
    ]);
  });

  it('stay away when they lie before or after the period', () => {
    const weeks = ['2026-11-02', '2026-11-09'];
    assert.deepEqual(place([note('2026-11-01', 'x'), note('2026-11-16', 'y')], weeks, 'week'), []);
    assert.deepEqual(place([note('2026-11-15', 'z')], weeks, 'week'), [[1, 'z']]);
    assert.deepEqual(place([note('2026-11-15', 'z')], [], 'week'), []);
  });

  it('have as much of their text drawn as fits before the next', () => {
    const wide = toLayout(800, 10, { left: 2, right: 2 });
    const notes = new Map(
      [0, 1, 4, 5].map((index) => [index, [note('2026-11-02', 'A rather long text')]] as const),
    );
    const marks = toNoteMarks(notes, wide).map(({ text, isLate }) => [text, isLate]);
    assert.deepEqual(marks, [
      ['A rat…', false],
      ['A rather long text', false],
      ['', false],
      ['', true],
    ]);
    const texts = toNoteMarks(notes, layout).map(({ text }) => text);
    assert.deepEqual(texts, ['', '', '', '']);
  });
});

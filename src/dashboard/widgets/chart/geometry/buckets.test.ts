import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { QueryAnswer } from '#contract/query.ts';
import { formatIn } from '../../../format/intl-forms.ts';
import { bucketSentence, toBucketText, toChartData } from './buckets.ts';
import { toPicture } from './picture.ts';

before(() => formatIn('en-GB'));
after(() => formatIn());

const euros = (value: string) => ({ value, currency: 'EUR' });
type Row = QueryAnswer['results'][number];

const METRICS = ['visitors', 'revenue', 'refunds', 'gross_new_revenue', 'gross_renewal_revenue'];

function answer(given: {
  readonly rows: Row[];
  readonly labels?: string[];
  readonly metrics?: string[];
  readonly range?: [string, string];
}): QueryAnswer {
  const { rows, labels, metrics = METRICS } = given;
  return {
    results: rows,
    meta: labels === undefined ? {} : { time_labels: labels },
    query: {
      ...{
        metrics,
        date_range: given.range ?? ['2026-11-21T00:00:00+01:00', '2026-11-24T00:00:00+01:00'],
      },
    },
  } as unknown as QueryAnswer;
}

const figures = answer({
  labels: ['2026-11-21', '2026-11-22', '2026-11-23'],
  rows: [
    {
      dimensions: ['2026-11-21'],
      metrics: [40, euros('80.00'), euros('20.00'), euros('75.00'), euros('25.00')],
      comparison: {
        dimensions: ['2026-11-14'],
        metrics: [30, euros('1.00'), euros('5.00')],
        change: [],
      },
    },
    {
      dimensions: ['2026-11-22'],
      metrics: [7, euros('0.00'), euros('0.00')],
      comparison: { dimensions: [''], metrics: [null, null, null], change: [] },
    },
  ],
});
const now = '2026-11-22 10:00:00';
const data = toChartData({ figures, unit: 'day', currency: 'EUR', now });

describe('the buckets', () => {
  it('split payments into new ones and renewals before refunds', () => {
    const [first] = data.buckets;
    assert.deepEqual(
      [first?.newIn.value, first?.renewalsIn.value, first?.refunds.value],
      ['75.00', '25.00', '20.00'],
    );
  });

  it('know what has begun, and what is not over', () => {
    assert.equal(data.begun, 2);
    assert.deepEqual(
      data.buckets.map(({ isPartial }) => isPartial),
      [false, true, false],
    );
    assert.equal(data.buckets[2]?.values, undefined);
  });

  it('are in part where the period begins in the middle of a week', () => {
    const weeks = answer({
      labels: ['2026-10-19', '2026-10-26'],
      rows: [
        { dimensions: ['2026-10-19'], metrics: [4, euros('0'), euros('0')] },
        { dimensions: ['2026-10-26'], metrics: [4, euros('0'), euros('0')] },
      ],
      range: ['2026-10-25T00:00:00+02:00', '2026-11-02T00:00:00+01:00'],
    });
    const { buckets } = toChartData({ figures: weeks, unit: 'week', currency: 'EUR', now });
    assert.deepEqual(
      buckets.map(({ isPartial }) => isPartial),
      [true, false],
    );
  });

  it('have no earlier one where the earlier period is shorter', () => {
    assert.equal(data.buckets[0]?.before?.label, '2026-11-14');
    assert.equal(data.buckets[1]?.before, undefined);
  });

  it('are said in one sentence, refunds as money that goes out', () => {
    const bucket = data.buckets[0];
    assert.ok(bucket);
    const text = toBucketText(data, { bucket, index: 0 }, 'visitors');
    assert.match(
      bucketSentence(text),
      /^Visitors 40, before 30; Revenue .*New revenue .*Refunds −/,
    );
    const labels = text.lines.map(({ label }) => label);
    assert.deepEqual(labels, ['Visitors', 'Revenue', 'New revenue', 'Renewals', 'Refunds']);
    const refunds = text.lines.at(-1);
    assert.deepEqual([refunds?.value, refunds?.before], ['−€20.00', '−€5.00']);
  });

  it('name each amount once, whichever is drawn', () => {
    const bucket = data.buckets[0];
    assert.ok(bucket);
    const drawn = toBucketText(data, { bucket, index: 0 }, 'refunds');
    const labels = drawn.lines.map(({ label }) => label);
    assert.deepEqual(labels, ['Revenue', 'New revenue', 'Renewals', 'Refunds', 'Visitors']);
  });
});

describe('the picture', () => {
  const draw = (metric: 'visitors' | 'revenue', given = data, hasBars = true) =>
    toPicture(given, { metric, hasBars, width: 800, currency: 'EUR' });

  it('stacks the money that came in above zero, and refunds below', () => {
    const { bars, layout, scales } = draw('visitors');
    const zero = layout.top + scales.zeroY;
    const [first, renewals, refunds] = bars;
    assert.equal(bars.length, 3);
    assert.ok(first && renewals && refunds);
    assert.ok(Math.abs(first.y + first.height - zero) < 1e-6);
    assert.ok(renewals.y < first.y && renewals.y >= layout.top);
    assert.ok(refunds.y > zero && refunds.y + refunds.height <= layout.bottom + 1e-6);
  });

  it('gives money one axis when the line is money too', () => {
    const { scales, grid } = draw('revenue');
    assert.equal(scales.left.step, scales.right.step);
    assert.ok(grid.every(({ right }) => right === ''));
  });

  it('has no bars and no second axis when they are hidden', () => {
    const { bars, grid } = draw('visitors', data, false);
    assert.equal(bars.length, 0);
    assert.ok(grid.every(({ right }) => right === ''));
  });

  it('draws zeros of an empty site, and no NaN', () => {
    const empty = answer({
      labels: ['2026-11-21'],
      rows: [{ dimensions: ['2026-11-21'], metrics: [0, euros('0.00'), euros('0.00')] }],
    });
    const given = toChartData({ figures: empty, unit: 'auto', currency: 'EUR', now });
    for (const metric of ['visitors', 'revenue'] as const) {
      assert.doesNotMatch(JSON.stringify(draw(metric, given)), /NaN|null|Infinity/);
    }
    assert.doesNotMatch(
      JSON.stringify(draw('visitors', { ...given, buckets: [], begun: 0 })),
      /NaN|null/,
    );
  });
});

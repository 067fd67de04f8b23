import { formatMetricTick, formOf, type ShownMetric } from '../../../format/metrics.ts';
import { formatMoneyTick, toNumber } from '../../../format/numbers.ts';
import { extentOf, type Scale, type Scales, type Tick, toScales, toTicks } from './axes.ts';
import { type Bucket, type ChartData, numberIn } from './buckets.ts';
import { type Layout, type LinePaths, middleOf, toLayout, toLinePaths } from './layout.ts';

type Piece = {
  readonly part: 'new' | 'renewals' | 'refunds';
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isPale: boolean;
};

type GridLine = {
  readonly y: number;
  readonly left: string;
  readonly right: string;
  readonly isZero: boolean;
};

/** Everything to draw, in pixels and texts. */
export type Picture = {
  readonly layout: Layout;
  readonly scales: Scales;
  readonly grid: readonly GridLine[];
  readonly ticks: readonly Tick[];
  readonly bars: readonly Piece[];
  readonly line: LinePaths;
  readonly before: LinePaths;
};

type PictureOptions = {
  readonly metric: ShownMetric;
  readonly hasBars: boolean;
  readonly width: number;
  readonly currency: string;
};

/** Metrics that sum the same money as the bars, and so share their axis. */
const SUMS_OF_MONEY: readonly ShownMetric[] = [
  ...(['revenue', 'gross_revenue', 'gross_new_revenue', 'gross_renewal_revenue'] as const),
  ...(['new_revenue', 'renewal_revenue', 'refunds'] as const),
];

/** Bars on their own axis leave the top third to the line, so that both stay readable. */
const HEADROOM = 1.5;

/** Lays out the chart. */
export function toPicture(data: ChartData, options: PictureOptions): Picture {
  const { metric, hasBars, width, currency } = options;
  const { buckets, unit } = data;
  const lined = extentOf(
    buckets.flatMap(({ values, before }) => [
      numberIn(values, metric),
      numberIn(before?.values, metric),
    ]),
  );
  const barred = hasBars ? extentOf(buckets.flatMap(reachOf)) : extentOf([]);
  const isShared = hasBars && SUMS_OF_MONEY.includes(metric);
  const both = extentOf([lined.min, lined.max, barred.min, barred.max]);
  const { bottom, top } = toLayout(width, buckets.length, { left: 0, right: 0 });
  const scales = toScales(
    { ...(isShared ? both : lined), unit: formOf(metric).unit },
    { ...(isShared ? both : { ...barred, max: barred.max * HEADROOM }), unit: 'money' },
    bottom - top,
  );
  const grid = scales.grid.map((count) => ({
    y: top + scales.zeroY - count * heightOfStep(scales),
    left:
      count < 0 && lined.min === 0 && !isShared
        ? ''
        : formatMetricTick(metric, count * scales.left.step, currency),
    right: isEmptyAxis(barred, isShared)
      ? ''
      : formatMoneyTick(count * scales.right.step, currency),
    isZero: count === 0,
  }));
  const layout = toLayout(width, buckets.length, {
    left: longest(grid.map((each) => each.left)),
    right: longest(grid.map((each) => each.right)),
  });
  const labels = buckets.map(({ label }) => label);
  const lineOf = (read: (bucket: Bucket) => number | null, isBefore: boolean) =>
    toLinePaths(
      buckets.map((bucket, index) => {
        const value = read(bucket);
        return {
          x: middleOf(layout, index),
          y: value === null ? undefined : top + scales.left.toY(value),
          isPartial: !isBefore && bucket.isPartial,
        };
      }),
    );
  return {
    layout,
    scales,
    grid,
    ticks: toTicks(labels, unit, layout.right - layout.left),
    bars: hasBars ? buckets.flatMap((each, at) => toBar(each, at, layout, scales.right)) : [],
    line: lineOf(({ values }) => numberIn(values, metric), false),
    before: lineOf(({ before }) => numberIn(before?.values, metric), true),
  };
}

/** A bar's extent, up and down. */
function reachOf({ newIn, renewalsIn, refunds }: Bucket): number[] {
  return [toNumber(newIn) + toNumber(renewalsIn), -toNumber(refunds)];
}

function isEmptyAxis(
  { min, max }: { readonly min: number; readonly max: number },
  isShared: boolean,
) {
  return isShared || (min === 0 && max === 0);
}

function heightOfStep({ left, zeroY }: Scales): number {
  return zeroY - left.toY(left.step);
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

/** The gap between two segments. */
const SEAM = 1;

function toBar(bucket: Bucket, index: number, layout: Layout, scale: Scale): Piece[] {
  const x = middleOf(layout, index) - layout.bar / 2;
  const newIn = toNumber(bucket.newIn);
  const piece = (part: Piece['part'], from: number, to: number, seam: number): Piece => {
    const y = layout.top + scale.toY(to) + (part === 'refunds' ? seam : 0);
    const height = Math.max(
      layout.top + scale.toY(from) - seam * (part === 'refunds' ? 0 : 1) - y,
      0.5,
    );
    return { part, index, x, y, width: layout.bar, height, isPale: bucket.isPartial };
  };
  const renewals = toNumber(bucket.renewalsIn);
  const refunds = toNumber(bucket.refunds);
  return [
    ...(newIn > 0 ? [piece('new', 0, newIn, 0)] : []),
    ...(renewals > 0 ? [piece('renewals', newIn, newIn + renewals, newIn > 0 ? SEAM : 0)] : []),
    ...(refunds > 0 ? [piece('refunds', -refunds, 0, SEAM)] : []),
  ];
}

import type { Unit } from '#contract/reports/catalog.ts';
import type { BucketUnit } from '#domain/time/buckets.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { formatTick, toWallClock } from '../../../format/dates.ts';

type Extent = { readonly min: number; readonly max: number };

/** Both axes of the chart. They share the zero line and all grid lines. */
export type Scales = {
  /** The zero line's y, in pixels. */
  readonly zeroY: number;
  /** The grid lines from lowest to highest; 0 is the zero line. */
  readonly grid: readonly number[];
  readonly left: Scale;
  readonly right: Scale;
};

/** An axis: the value of a grid step, and where values lie. */
export type Scale = { readonly step: number; readonly toY: (value: number) => number };

/** The possible numbers of steps above zero. */
const STEPS = [3, 4, 5] as const;

/** Fits two axes into a height in pixels; both get round steps. */
export function toScales(
  left: Extent & { readonly unit: Unit },
  right: Extent & { readonly unit: Unit },
  height: number,
): Scales {
  const candidates = STEPS.map((count) => {
    const steps = { left: stepOf(left, count), right: stepOf(right, count) };
    return {
      count,
      ...steps,
      use: useOf(left, count, steps.left) * useOf(right, count, steps.right),
    };
  });
  const best = candidates.reduce((one, other) => (other.use > one.use ? other : one));
  const below = Math.max(-left.min / best.left, -right.min / best.right, 0);
  const stepHeight = height / (best.count + below);
  const zeroY = best.count * stepHeight;
  const lowest = Math.ceil(-below - 0.001);
  const scale = (step: number): Scale => ({
    step,
    toY: (value) => zeroY - (value / step) * stepHeight,
  });
  return {
    zeroY,
    grid: Array.from({ length: best.count - lowest + 1 }, (_, index) => index + lowest),
    left: scale(best.left),
    right: scale(best.right),
  };
}

/** The extent of values and zero; 0 if empty. */
export function extentOf(values: Iterable<number | null>): Extent {
  let min = 0;
  let max = 0;
  for (const value of values) {
    min = Math.min(min, value ?? 0);
    max = Math.max(max, value ?? 0);
  }
  return { min, max };
}

/** A round step: `count` steps reach the maximum, and twice as many the minimum. */
function stepOf({ min, max, unit }: Extent & { readonly unit: Unit }, count: number): number {
  const reach = Math.max(max, -min / 2) / count;
  return reach === 0 ? 1 : roundUp(reach, unit);
}

/** The share of the height that an axis uses. */
function useOf({ max }: Extent, count: number, step: number): number {
  return max === 0 ? 1 : max / (count * step);
}

const SECONDS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200],
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map((days) => days * 86_400),
];

/** The smallest round number not below the value: whole for counts, clock-like for durations. */
function roundUp(value: number, unit: Unit): number {
  if (unit === 'seconds') {
    return SECONDS.find((seconds) => seconds >= value) ?? roundUp(value, 'average');
  }
  const power = 10 ** Math.floor(Math.log10(value));
  const round = [1, 2, 2.5, 3, 4, 5, 10].map((factor) => factor * power);
  const isWhole = unit === 'count' || unit === 'credit';
  const fits = (step: number) => step >= value * 0.9999 && (!isWhole || step % 1 === 0);
  return round.find(fits) ?? 1;
}

/** A label of a bucket. */
export type Tick = { readonly index: number; readonly text: string };

/** The width a label needs, in pixels, and the maximum number however wide the chart is. */
const ROOM = 72;
const ENOUGH = 12;

const HOURS = [1, 2, 3, 6, 12];
const DAYS = [1, 2, 5, 7, 14, 28];
const WEEKS = [1, 2, 4, 8, 13, 26, 52, 104];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120];

/** As many time axis labels as there is room for, at round wall-clock times. */
export function toTicks(labels: readonly string[], unit: BucketUnit, width: number): Tick[] {
  const most = Math.min(Math.max(Math.floor(width / ROOM), 1), ENOUGH);
  const shown = choicesFor(labels, unit).find(
    (indexes) => indexes.length > 0 && indexes.length <= most,
  ) ?? [0];
  const isLong = dayOf(labels.at(-1)) > dayOf(labels[0]);
  return shown
    .filter((index) => index < labels.length)
    .map((index) => {
      const label = labels[index] ?? '';
      const isNewDay = unit === 'hour' && isLong && toWallClock(label).getUTCHours() === 0;
      return { index, text: formatTick(label, isNewDay ? 'day' : unit) };
    });
}

/** Ways to drop labels, from the most labels to the fewest: the indexes of those that stay. */
function choicesFor(labels: readonly string[], unit: BucketUnit): number[][] {
  const everyNth = (counts: readonly number[]) =>
    counts.map((count) => [...labels.keys()].filter((index) => index % count === 0));
  const firstsOf = (of: keyof typeof PLACES, counts: readonly number[]) =>
    counts.map((count) => firstsOfEvery(count, labels.map(toWallClock).map(PLACES[of])));
  if (unit === 'month') return [...firstsOf('month', MONTHS), ...everyNth([labels.length])];
  if (unit === 'week') return everyNth(WEEKS);
  if (unit === 'day') return [...everyNth(DAYS), ...firstsOf('month', MONTHS)];
  if (unit === 'hour') return [...firstsOf('hour', HOURS), ...firstsOf('day', DAYS)];
  return everyNth([1, 5, 15, 30, 60]);
}

/** Where an instant of the wall clock lies, counted in a unit: whole where one begins. */
const PLACES = {
  hour: (at: Date) => at.getTime() / HOUR_MS,
  day: (at: Date) => at.getTime() / DAY_MS,
  month: (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth() + (at.getUTCDate() - 1) / 31,
} as const;

/** The first in every `count`th unit, even where clocks skip its beginning; once where they repeat it. */
function firstsOfEvery(count: number, places: readonly number[]): number[] {
  return places.flatMap((place, index) => {
    const before = places[index - 1];
    const whole = Math.floor(place);
    const isFirst = before === undefined ? place === whole : whole > Math.floor(before);
    return isFirst && whole % count === 0 ? [index] : [];
  });
}

function dayOf(label = ''): number {
  return Math.floor(PLACES.day(toWallClock(label)));
}

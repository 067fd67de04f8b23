import type { MetricForm } from '../../../format/metrics.ts';

/** The smallest and the largest value that an axis has to show. */
export type Extent = { readonly min: number; readonly max: number };

/** Both axes of the chart. They share the line of zero, and every line of the grid. */
export type Scales = {
  /** Where zero is, in pixels from the top. */
  readonly zeroY: number;
  /** The lines of the grid from the lowest to the highest; 0 is the one of zero. */
  readonly grid: readonly number[];
  readonly left: Scale;
  readonly right: Scale;
};

/** One axis: what a step of the grid is worth, and where a value lies. */
export type Scale = { readonly step: number; readonly toY: (value: number) => number };

type Unit = MetricForm['unit'];

/** How many steps of the grid there may be above zero. */
const STEPS = [3, 4, 5] as const;

/** The axes for two extents over so many pixels; numbers of steps are round on both. */
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

/** The extent of values and zero; of nothing, it is 0. */
export function extentOf(values: Iterable<number | null>): Extent {
  let min = 0;
  let max = 0;
  for (const value of values) {
    min = Math.min(min, value ?? 0);
    max = Math.max(max, value ?? 0);
  }
  return { min, max };
}

/** A round step with which so many reach the largest value, and twice as many the smallest. */
function stepOf({ min, max, unit }: Extent & { readonly unit: Unit }, count: number): number {
  const reach = Math.max(max, -min / 2) / count;
  return reach === 0 ? 1 : roundUp(reach, unit);
}

/** The share of the height that an axis makes use of. */
function useOf({ max }: Extent, count: number, step: number): number {
  return max === 0 ? 1 : max / (count * step);
}

const SECONDS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200],
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map((days) => days * 86_400),
];

/** The smallest round number that is no less: for counts a whole one, for durations of a clock. */
function roundUp(value: number, unit: Unit): number {
  if (unit === 'duration') {
    return SECONDS.find((seconds) => seconds >= value) ?? roundUp(value, 'number');
  }
  const power = 10 ** Math.floor(Math.log10(value));
  const round = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const fits = (step: number) => step >= value * 0.9999 && (unit !== 'count' || step % 1 === 0);
  return round.find(fits) ?? 1;
}

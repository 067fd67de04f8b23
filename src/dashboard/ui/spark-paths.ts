import { line } from 'd3-shape';

/** The size that {@link toSparkPaths} draws in; the picture is stretched to its room. */
export const SPARK = { width: 240, height: 56 } as const;

/** The path through values, scaled to their highest; `dotted` leads to a last one that is still growing. */
export function toSparkPaths(
  values: readonly number[],
  isLastPartial: boolean,
): { readonly solid: string; readonly dotted: string } {
  const highest = Math.max(1, ...values);
  const step = SPARK.width / Math.max(1, values.length - 1);
  const points = values.map((value, index): [number, number] => [
    index * step,
    SPARK.height - 2 - (Math.max(0, value) / highest) * (SPARK.height - 4),
  ]);
  const draw = line().digits(1);
  const whole = isLastPartial ? points.slice(0, -1) : points;
  const dotted = isLastPartial ? points.slice(-2) : [];
  return { solid: draw(whole) ?? '', dotted: draw(dotted) ?? '' };
}

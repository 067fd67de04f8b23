import { line } from 'd3-shape';

/** A point of a line; undefined `y` is a gap. */
export type Point = {
  readonly x: number;
  readonly y: number | undefined;
  readonly isPartial: boolean;
};

/** A line in the pieces that it is drawn with. */
export type LinePaths = {
  readonly solid: string;
  /** From and to what is not whole. */
  readonly dotted: string;
  /** Points that no piece reaches. */
  readonly lone: readonly { readonly x: number; readonly y: number }[];
};

const path = line<Point>(
  ({ x }) => round(x),
  ({ y }) => round(y ?? 0),
).defined(({ y }) => y !== undefined);

/** A line through points, dotted where it leads to or from a partial one. */
export function toLinePaths(points: readonly Point[]): LinePaths {
  const pairs = points.slice(1).map((to, index) => [points[index] as Point, to] as const);
  const isDotted = pairs.filter(([from, to]) => from.isPartial || to.isPartial);
  const whole = points.map((point) => (point.isPartial ? { ...point, y: undefined } : point));
  const isLone = (_: Point, index: number) =>
    points[index - 1]?.y === undefined && points[index + 1]?.y === undefined;
  return {
    solid: path(whole.filter(hasNeighbour)) ?? '',
    dotted: isDotted
      .filter(([from, to]) => from.y !== undefined && to.y !== undefined)
      .map((pair) => path(pair))
      .join(''),
    lone: points.flatMap((point, index) =>
      point.y !== undefined && isLone(point, index) ? [{ x: point.x, y: point.y }] : [],
    ),
  };
}

/** Keeps gaps, and points beside another one: a point alone would be a path without a length. */
function hasNeighbour(point: Point, index: number, all: readonly Point[]): boolean {
  return (
    point.y === undefined || all[index - 1]?.y !== undefined || all[index + 1]?.y !== undefined
  );
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

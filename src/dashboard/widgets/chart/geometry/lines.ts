import { line } from 'd3-shape';

/** A point of a line; undefined `y` is a gap. */
type Point = {
  readonly x: number;
  readonly y: number | undefined;
  readonly isPartial: boolean;
};

/** A line, split by how it is drawn. */
export type LinePaths = {
  readonly solid: string;
  /** From and to partial points. */
  readonly dotted: string;
  /** Points without a segment. */
  readonly lone: readonly { readonly x: number; readonly y: number }[];
};

const path = line<Point>(
  ({ x }) => round(x),
  ({ y }) => round(y ?? 0),
).defined(({ y }) => y !== undefined);

/** A line through points, dotted to and from partial ones. */
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

/** Keeps gaps, and points next to another: a single point would be a zero-length path. */
function hasNeighbour(point: Point, index: number, all: readonly Point[]): boolean {
  return (
    point.y === undefined || all[index - 1]?.y !== undefined || all[index + 1]?.y !== undefined
  );
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

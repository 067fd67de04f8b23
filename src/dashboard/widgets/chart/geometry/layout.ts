import { line } from 'd3-shape';
import type { BucketUnit } from '#domain/time/buckets.ts';
import { endOfBucket, toWallClock } from '../../../format/dates.ts';
import type { Bucket } from './buckets.ts';

/** The drawing's height: the same at every width and while loading. */
export const CHART_HEIGHT = 268;
/** Room above the plot for notes, and below it for time ticks. */
const TOP = 20;
const BOTTOM = 28;
const CHARACTER_WIDTH = 8;
const TICK_GAP = 14;

/** The drawing's layout, in pixels. */
export type Layout = {
  readonly width: number;
  /** The edges of the plot itself. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The width of a bucket and of its bar. */
  readonly band: number;
  readonly bar: number;
};

/** The layout for a width, a bucket count, and both axes' longest labels. */
export function toLayout(
  width: number,
  count: number,
  longest: { readonly left: number; readonly right: number },
): Layout {
  const left = Math.max(24, longest.left * CHARACTER_WIDTH + TICK_GAP);
  const right = Math.max(width - longest.right * CHARACTER_WIDTH - TICK_GAP, left + 1);
  const band = (right - left) / Math.max(count, 1);
  const bar = Math.min(band > 4 ? Math.max(band * 0.66, 3) : band * 0.8, 48);
  return { width, left, right, top: TOP, bottom: CHART_HEIGHT - BOTTOM, band, bar };
}

/** The middle of a bucket. */
export function middleOf({ left, band }: Layout, index: number): number {
  return left + (index + 0.5) * band;
}

/** The bucket under `x`; outside the plot, the nearest. */
export function bucketAt({ left, band }: Layout, x: number, count: number): number {
  return Math.min(Math.max(Math.floor((x - left) / band), 0), Math.max(count - 1, 0));
}

/** Where to put a box beside the cursor, within the drawing and clear of the cursor. */
export function besideCursor(layout: Layout, x: number, boxWidth: number): number {
  const gap = 12;
  const isLeft = x > layout.width / 2;
  const start = isLeft ? x - gap - boxWidth : x + gap;
  return Math.min(Math.max(start, 0), Math.max(layout.width - boxWidth, 0));
}

/** A point of a line; undefined `y` is a gap. */
type Point = { readonly x: number; readonly y: number | undefined; readonly isPartial: boolean };

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

/** A note about a point in time. */
export type Note = {
  readonly id: string;
  /** A day, `2026-11-09`, or a wall-clock time of the site, `2026-11-09 14:00:00`. */
  readonly at: string;
  readonly text: string;
};

/** The notes of each bucket with any, by bucket index. */
export type Notes = ReadonlyMap<number, readonly Note[]>;

/** The notes of each bucket that has any, from left to right; omits those after the period. */
export function placeAnnotations(
  annotations: readonly Note[],
  buckets: readonly Bucket[],
  unit: BucketUnit,
): Notes {
  const last = buckets.at(-1);
  const end = last && endOfBucket(last.label, unit);
  const placed = annotations.flatMap((annotation) => {
    const { at } = annotation;
    const onIt = buckets.findIndex(({ label }) => label.startsWith(at));
    const index = onIt >= 0 ? onIt : buckets.findLastIndex(({ label }) => label <= at);
    const isBeyond = end === undefined || toWallClock(at) >= end;
    return index < 0 || isBeyond ? [] : [{ index, annotation }];
  });
  const byIndex = Map.groupBy(placed, ({ index }) => index);
  return new Map(
    [...byIndex]
      .toSorted(([one], [other]) => one - other)
      .map(([index, there]) => [index, there.map(({ annotation }) => annotation)]),
  );
}

/** A bucket's notes as one text; empty if there are none. */
export function notesText(there: readonly Note[] = []): string {
  return there.map(({ text }) => text).join(' · ');
}

/** A note in the drawing: its line's position, and as much of its text as fits. */
export type NoteMark = { readonly x: number; readonly isLate: boolean; readonly text: string };

/** Keeps a text off its own circle and the next. */
const GAP = 24;
const TEXT_MAX = 48;
const TEXT_MIN = 6;
/** Narrower charts show the texts only in the tooltip. */
const WIDTH_MIN = 560;

/** The notes as drawn. Texts extend towards the chart's middle, and stop before the next note. */
export function toNoteMarks(notes: Notes, layout: Layout): NoteMark[] {
  const xs = [...notes.keys()].map((index) => middleOf(layout, index));
  const isLate = (x: number) => x > layout.width / 2;
  return [...notes.values()].map((there, at) => {
    const x = xs[at] ?? 0;
    const next = xs[at + (isLate(x) ? -1 : 1)];
    const gap = next === undefined ? layout.width : Math.abs(next - x);
    // Two texts that face each other share the room equally.
    const isFacing = next !== undefined && isLate(next) !== isLate(x);
    const room = isFacing ? gap / 2 : gap;
    return { x, isLate: isLate(x), text: cut(notesText(there), layout.width, room) };
  });
}

function cut(text: string, width: number, room: number): string {
  const most = Math.min(Math.floor((room - GAP) / CHARACTER_WIDTH), TEXT_MAX);
  if (width <= WIDTH_MIN || most < TEXT_MIN) return '';
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

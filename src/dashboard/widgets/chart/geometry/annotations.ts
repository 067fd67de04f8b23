import type { BucketUnit } from '#domain/time/buckets.ts';
import { endOfBucket, toWallClock } from '../../../format/dates.ts';
import type { Bucket } from './buckets.ts';
import { type Layout, middleOf } from './layout.ts';

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

const CHARACTER_WIDTH = 7.2;
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

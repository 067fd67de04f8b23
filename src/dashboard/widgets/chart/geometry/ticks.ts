import type { BucketUnit } from '#domain/time/buckets.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { formatTick, toWallClock } from '../../../format/dates.ts';

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
export function toTicks(
  labels: readonly string[],
  unit: BucketUnit,
  width: number,
  locale?: string,
): Tick[] {
  const most = Math.min(Math.max(Math.floor(width / ROOM), 1), ENOUGH);
  const choices = choicesFor(labels, unit).map((isShown) => indexesOf(labels, isShown));
  const shown = choices.find((indexes) => indexes.length > 0 && indexes.length <= most) ?? [0];
  const isLong = spanDays(labels) >= 1;
  return shown
    .filter((index) => index < labels.length)
    .map((index) => {
      const label = labels[index] ?? '';
      const isNewDay = unit === 'hour' && isLong && toWallClock(label).getUTCHours() === 0;
      return { index, text: formatTick(label, isNewDay ? 'day' : unit, locale) };
    });
}

type IsShown = (label: string, index: number, before: string | undefined) => boolean;

function indexesOf(labels: readonly string[], isShown: IsShown): number[] {
  return labels.flatMap((label, index) =>
    isShown(label, index, labels[index - 1]) ? [index] : [],
  );
}

/** Ways to drop labels, from the most labels to the fewest. */
function choicesFor(labels: readonly string[], unit: BucketUnit): IsShown[] {
  const everyNth = (counts: readonly number[]): IsShown[] =>
    counts.map((count) => (_, index) => index % count === 0);
  const everyMonth: IsShown[] = MONTHS.map((count) => (label, _, before) => {
    const month = monthOf(label);
    return month % count === 0 && (before === undefined ? isFirst(label) : month > monthOf(before));
  });
  if (unit === 'month') return [...everyMonth, ...everyNth([labels.length])];
  if (unit === 'week') return everyNth(WEEKS);
  if (unit === 'day') return [...everyNth(DAYS), ...everyMonth];
  if (unit === 'hour') return [...HOURS.map(everyHour), ...DAYS.map(everyDay)];
  return everyNth([1, 5, 15, 30, 60]);
}

/** Full wall-clock hours; one that clocks repeat counts once. */
function everyHour(count: number): IsShown {
  return (label, _, before) => {
    const at = toWallClock(label);
    const isRepeated = before !== undefined && toWallClock(before).getTime() === at.getTime();
    return at.getUTCMinutes() === 0 && at.getUTCHours() % count === 0 && !isRepeated;
  };
}

/** The first bucket of every nth day, even where clocks skip midnight. */
function everyDay(count: number): IsShown {
  return (label, _, before) => {
    const day = dayOf(label);
    const isNew =
      before === undefined ? toWallClock(label).getUTCHours() === 0 : day > dayOf(before);
    return day % count === 0 && isNew;
  };
}

function dayOf(label: string): number {
  return Math.floor(toWallClock(label).getTime() / DAY_MS);
}

function monthOf(label: string): number {
  const at = toWallClock(label);
  return at.getUTCFullYear() * 12 + at.getUTCMonth();
}

function isFirst(label: string): boolean {
  return toWallClock(label).getUTCDate() === 1;
}

function spanDays(labels: readonly string[]): number {
  const [first, last] = [labels[0], labels.at(-1)];
  return first === undefined || last === undefined ? 0 : dayOf(last) - dayOf(first);
}

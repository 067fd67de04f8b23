import { type BucketUnit, endOfBucket } from '../../../format/dates.ts';

/** First and last day of a period. */
export type Days = { readonly from: string; readonly to: string };

/**
 * The days from one bucket to another, in either order, within the period's own range: a week at
 * its edge may begin before it. Undefined where that is the whole period anyway.
 */
export function zoomDays(
  one: string,
  other: string,
  unit: BucketUnit,
  range: readonly string[],
): Days | undefined {
  const [first, last] = one <= other ? [one, other] : [other, one];
  const [rangeFrom = '', rangeEnd = ''] = range;
  const whole = { from: rangeFrom.slice(0, 10), to: lastDayBefore(wallClock(rangeEnd)) };
  const to = lastDayBefore(endOfBucket(last, unit));
  const days = {
    from: first.slice(0, 10) < whole.from ? whole.from : first.slice(0, 10),
    to: to > whole.to ? whole.to : to,
  };
  return days.from === whole.from && days.to === whole.to ? undefined : days;
}

function wallClock(instant: string): Date {
  return new Date(`${instant.slice(0, 19)}Z`);
}

/** The day of the last moment before. */
function lastDayBefore(end: Date): string {
  return new Date(end.getTime() - 1).toISOString().slice(0, 10);
}

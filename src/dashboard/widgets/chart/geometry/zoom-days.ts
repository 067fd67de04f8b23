import type { BucketUnit } from '#domain/time/buckets.ts';
import { endOfBucket } from '../../../format/dates.ts';

/** A period's first and last day. */
export type DayRange = { readonly from: string; readonly to: string };

/**
 * The days between two buckets, in either order, clipped to the period: a week at its edge may
 * start before it. Undefined if that is the whole period.
 */
export function zoomDays(
  one: string,
  other: string,
  unit: BucketUnit,
  range: readonly string[],
): DayRange | undefined {
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

/** The day of the moment just before. */
function lastDayBefore(end: Date): string {
  return new Date(end.getTime() - 1).toISOString().slice(0, 10);
}

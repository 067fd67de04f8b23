import type { BucketUnit } from './buckets.ts';
import type { Period } from './period.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The unit that a chart of a period is best counted by: at most a hundred points or so, and as fine as that
 * allows; months for more than a quarter, as days then hide what weekends do.
 */
export function bucketUnitFor({ startsAt, endsAt }: Period): BucketUnit {
  const lengthMs = endsAt - startsAt;
  if (lengthMs <= 3 * HOUR_MS) return 'minute';
  if (lengthMs <= 2 * DAY_MS + HOUR_MS) return 'hour'; // Clocks may go back meanwhile.
  return lengthMs <= 92 * DAY_MS + HOUR_MS ? 'day' : 'month';
}

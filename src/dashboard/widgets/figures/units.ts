import type { BucketUnit } from '#domain/time/buckets.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { View } from '../../address/address.ts';

type ChartUnit = Exclude<BucketUnit, 'minute'>;

/** The range of period lengths, in days, that each unit suits. */
const SPANS: readonly { readonly unit: ChartUnit; readonly from: number; readonly to: number }[] = [
  { unit: 'hour', from: 0, to: 8 },
  { unit: 'day', from: 2, to: 400 },
  { unit: 'week', from: 14, to: 2_000 },
  { unit: 'month', from: 59, to: Number.POSITIVE_INFINITY },
];

/** The maximum days in the view's period; undefined where it depends on the data. */
export function countDays(view: Pick<View, 'period' | 'from' | 'to'>): number | undefined {
  if (view.period === 'custom') {
    return Math.round((Date.parse(view.to) - Date.parse(view.from)) / DAY_MS) + 1;
  }
  if (view.period === 'all') return undefined;
  if (view.period === 'year') return 366;
  if (view.period.endsWith('month')) return 31;
  const [, count, unit] = /^(\d+)(h|d|mo)$/.exec(view.period) ?? [];
  if (count === undefined || unit === 'h') return 1;
  return unit === 'd' ? Number(count) : Number(count) * 31;
}

/** The units that suit a period of that many days. */
export function unitsFor(days: number | undefined): readonly ChartUnit[] {
  if (days === undefined) return ['day', 'week', 'month'];
  return SPANS.filter(({ from, to }) => days >= from && days <= to).map(({ unit }) => unit);
}

/** The view's unit, if it suits the period. */
export function chosenUnit(view: View): ChartUnit | 'auto' {
  return unitsFor(countDays(view)).find((unit) => unit === view.by) ?? 'auto';
}

/** The query API dimension for buckets of a unit. */
export function timeDimension(unit: ChartUnit | 'auto'): string {
  return unit === 'auto' ? 'time' : `time:${unit}`;
}

import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import type { BucketUnit } from '#domain/time/buckets.ts';
import { endOfBucket, toWallClock, unitOf } from '../../../format/dates.ts';
import { toNumber } from '../../../format/numbers.ts';

/** Metric values by name. */
export type BucketValues = Readonly<Record<string, MetricValue>>;

/** One bucket of the period. */
export type Bucket = {
  /** As the API names it. */
  readonly label: string;
  /** Undefined for the future. */
  readonly values?: BucketValues;
  /** The matching bucket of the comparison period. */
  readonly before?: { readonly label: string; readonly values: BucketValues };
  /** New payments and renewals, both before refunds. */
  readonly newIn: Money;
  readonly renewalsIn: Money;
  readonly refunds: Money;
  /** Whether it reaches beyond the period or the present. */
  readonly isPartial: boolean;
};

/** All that the chart draws, taken from answers. */
export type ChartData = {
  readonly unit: BucketUnit;
  readonly buckets: readonly Bucket[];
  /** How many buckets have begun. */
  readonly begun: number;
  /** Whether it includes money; a shared link may hide it. */
  readonly hasMoney: boolean;
};

type Given = {
  /** Metrics by time, with time labels; with those of the bars unless money is hidden. */
  readonly figures: QueryAnswer;
  /** The unit, if explicitly requested. */
  readonly unit: BucketUnit | 'auto';
  readonly currency: string;
  /** The site's wall clock. */
  readonly now: string;
};

/** The chart's buckets, one per slice of the period, including future ones. */
export function toChartData({ figures, unit, currency, now }: Given): ChartData {
  const rows = new Map(figures.results.map((row) => [row.dimensions[0] ?? '', row]));
  const labels = figures.meta.time_labels ?? [...rows.keys()];
  const shownUnit = unit === 'auto' ? unitOf(labels) : unit;
  const lastBegun = labels.findLastIndex((label) => rows.has(label));
  const isCut = cutter(figures.query.date_range, shownUnit, now);
  const none = { value: '0', currency };
  const buckets = labels.map((label, index): Bucket => {
    const row = rows.get(label);
    const values = row && byName(figures.query.metrics, row.metrics);
    const before = row?.comparison;
    const beforeLabel = before?.dimensions[0] ?? '';
    return {
      label,
      ...(values && { values }),
      ...(before &&
        beforeLabel !== '' && {
          before: { label: beforeLabel, values: byName(figures.query.metrics, before.metrics) },
        }),
      newIn: asMoney(values?.gross_new_revenue) ?? none,
      renewalsIn: asMoney(values?.gross_renewal_revenue) ?? none,
      refunds: asMoney(values?.refunds) ?? none,
      isPartial: (index === 0 || index === lastBegun) && isCut(label),
    };
  });
  const hasMoney = figures.query.metrics.includes('refunds');
  return { unit: shownUnit, buckets, begun: lastBegun + 1, hasMoney };
}

function byName(names: readonly string[], values: readonly MetricValue[]): BucketValues {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
}

function asMoney(value: MetricValue | undefined): Money | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Tells whether a bucket starts before the period, or ends after it or in the future. */
function cutter(range: readonly string[], unit: BucketUnit, now: string) {
  const [from, to] = range.map((instant) => toWallClock(instant.slice(0, 19).replace('T', ' ')));
  const present = toWallClock(now);
  return (label: string): boolean => {
    const end = endOfBucket(label, unit);
    const isCutBefore = from !== undefined && toWallClock(label) < from;
    return isCutBefore || end > present || (to !== undefined && end > to);
  };
}

/** A metric's value in a bucket as a number; null if missing. */
export function numberIn(values: BucketValues | undefined, metric: string): number | null {
  const value = values?.[metric];
  return value === undefined || value === null ? null : toNumber(value);
}

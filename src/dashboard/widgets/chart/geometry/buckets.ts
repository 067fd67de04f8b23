import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import type { BucketUnit } from '#domain/time/buckets.ts';
import { endOfBucket, formatBucket, toWallClock, unitOf } from '../../../format/dates.ts';
import {
  formatExact,
  formatMetric,
  formOf,
  isMetric,
  type ShownMetric,
} from '../../../format/metrics.ts';
import { toNumber } from '../../../format/numbers.ts';

/** Metric values by name. */
type BucketValues = Readonly<Record<string, MetricValue>>;

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
  const [from, to] = range.map(wallClock);
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

type BucketLine = {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** Its value in the comparison period, if any. */
  readonly before?: string;
  /** Both in full, for screen readers. */
  readonly exact: string;
};

/** A bucket as text. */
export type BucketText = {
  readonly title: string;
  /** Why its numbers are incomplete. */
  readonly note: string;
  readonly titleBefore: string;
  /** The chosen metric, revenue with its parts, and the other metrics. */
  readonly lines: readonly BucketLine[];
};

/** A bucket's texts, for the tooltip and screen readers. */
export function toBucketText(
  { unit, begun, hasMoney }: ChartData,
  { bucket, index }: { readonly bucket: Bucket; readonly index: number },
  metric: ShownMetric,
): BucketText {
  const names = Object.keys(bucket.values ?? {}).filter(isMetric);
  const isMoney = (name: ShownMetric) => MONEY.some((each) => each === name);
  const others = names.filter((name) => name !== metric && !isMoney(name));
  const first = isMoney(metric) ? [] : [metric];
  return {
    title: formatBucket(bucket.label, unit),
    note: bucket.isPartial ? (index === begun - 1 ? 'so far' : 'in part') : '',
    titleBefore: bucket.before === undefined ? '' : formatBucket(bucket.before.label, unit),
    lines: [
      ...first.map((name) => toLine(name, bucket)),
      ...(hasMoney ? moneyLines(bucket) : []),
      ...others.map((name) => toLine(name, bucket)),
    ],
  };
}

/** The metrics of {@link moneyLines}. */
const MONEY = ['revenue', 'gross_new_revenue', 'gross_renewal_revenue', 'refunds'] as const;

function moneyLines(bucket: Bucket): BucketLine[] {
  return [
    toLine('revenue', bucket),
    { ...toLine('gross_new_revenue', bucket), key: 'new', label: 'New revenue' },
    { ...toLine('gross_renewal_revenue', bucket), key: 'renewals', label: 'Renewals' },
    toLine('refunds', bucket),
  ];
}

function toLine(metric: ShownMetric, { values, before }: Bucket): BucketLine {
  const [now, then] = [valueIn(values, metric), valueIn(before?.values, metric)];
  const exact = formatExact(metric, now);
  return {
    key: metric,
    label: formOf(metric).label,
    value: formatMetric(metric, now),
    exact: before ? `${exact}, before ${formatExact(metric, then)}` : exact,
    ...(before && { before: formatMetric(metric, then) }),
  };
}

/** A metric's value; refunds as negative money. */
function valueIn(values: BucketValues | undefined, metric: ShownMetric) {
  const value = values?.[metric] ?? null;
  const isPaidBack =
    metric === 'refunds' && value !== null && typeof value === 'object' && toNumber(value) > 0;
  return isPaidBack ? { ...value, value: `-${value.value}` } : value;
}

/** The same as one sentence. */
export function bucketSentence({ note, lines }: BucketText): string {
  const parts = lines.map(({ label, exact }) => `${label} ${exact}`);
  return `${note === '' ? '' : `${note}: `}${parts.join('; ')}`;
}

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

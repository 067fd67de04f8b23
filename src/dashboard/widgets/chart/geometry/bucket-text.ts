import { formatBucket } from '../../../format/dates.ts';
import {
  formatExact,
  formatMetric,
  formOf,
  isMetric,
  type ShownMetric,
} from '../../../format/metrics.ts';
import { toNumber } from '../../../format/numbers.ts';
import type { Bucket, BucketValues, ChartData } from './buckets.ts';

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

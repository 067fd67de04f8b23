import type { PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { formatNoun, toNumber } from '../../format/numbers.ts';

type Bucket = PurchasePathsAnswer['results'][number]['time']['buckets'][number];

/** A class of customers, with bars from 0 to 1 of the largest. */
export type CustomerClass = Bucket & {
  readonly label: string;
  readonly customersLength: number;
  readonly revenueLength: number;
};

/** Classes with their labels and bar lengths. */
export function toClasses(
  buckets: readonly Bucket[],
  toLabel: (from: number, below: number | null) => string,
): readonly CustomerClass[] {
  const most = Math.max(1, ...buckets.map(({ customers }) => customers));
  const highest = Math.max(0, ...buckets.map(({ revenue }) => toNumber(revenue)));
  return buckets.map((bucket) => ({
    ...bucket,
    label: toLabel(bucket.from, bucket.below),
    customersLength: bucket.customers / most,
    revenueLength: highest === 0 ? 0 : Math.max(0, toNumber(bucket.revenue) / highest),
  }));
}

/** A time span: `under 1 hour`, `1–3 days`, `90 days or more`. */
export function toTimeLabel(from: number, below: number | null): string {
  if (below === null) return `${inDays(from)} or more`;
  if (from === 0) return `under ${inDays(below)}`;
  const [start = '', unit] = inDays(from).split(' ');
  const [end = '', unitOfEnd] = inDays(below).split(' ');
  const isSame = unit?.replace(/s$/, '') === unitOfEnd?.replace(/s$/, '');
  return isSame ? `${start}–${end} ${unitOfEnd}` : `${start} ${unit} – ${end} ${unitOfEnd}`;
}

/** A number of visits: `1 visit`, `6–10 visits`, `11 or more`. */
export function toVisitsLabel(from: number, below: number | null): string {
  if (below === null) return `${from} or more`;
  if (below - from > 1) return `${from}–${below - 1} visits`;
  return formatNoun(from, 'visit');
}

function inDays(seconds: number): string {
  const [count, unit] = seconds < 86_400 ? [seconds / 3_600, 'hour'] : [seconds / 86_400, 'day'];
  return formatNoun(Math.round(count), unit);
}

import type { Fault } from '#contract/fault.ts';
import { countBucketsAtMost } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import type { Dimension } from '../../dimension.ts';
import type { Metric } from '../../metric.ts';
import { type Filter, filteredDimensions } from '../filter.ts';

/** A time series has at most so many points: a year of hours. */
const BUCKETS_MAX = 10_000;

/** What was parsed of a query; what was not is left out. */
export type Parsed = {
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  readonly filter: Filter | undefined;
  readonly period: Period | undefined;
  readonly comparedWith: Period | undefined;
};

/** Parts of a query that are known, but have no meaning together. */
export function findMismatches(query: Parsed): Fault[] {
  return [...seriesFaults(query), ...paymentDimensionFaults(query)];
}

function seriesFaults({ period, comparedWith, dimensions }: Parsed): Fault[] {
  const periods = [period, comparedWith].filter((each) => each !== undefined);
  return dimensions.flatMap((dimension, index) => {
    if (dimension.of !== 'time') return [];
    const { unit } = dimension;
    if (periods.every((each) => countBucketsAtMost(each, unit) <= BUCKETS_MAX)) return [];
    const message = `${dimension.name} has more than ${BUCKETS_MAX} points here: take a longer unit or a shorter date_range.`;
    return [{ path: `/dimensions/${index}`, message }];
  });
}

/** What is not counted from payments has no product and no provider. */
function paymentDimensionFaults({ metrics, dimensions, filter }: Parsed): Fault[] {
  const filtered = filter === undefined ? [] : [...filteredDimensions(filter)];
  const ofPayments = [...dimensions, ...filtered].find(({ of }) => of === 'payment');
  if (ofPayments === undefined) return [];
  return metrics.flatMap((metric, index) => {
    if (Object.values(metric.parts).every((part) => part.of === 'payments')) return [];
    const message =
      `${metric.name} is not counted from payments alone and has no ${ofPayments.name}: ` +
      'ask for it without, or for metrics such as revenue, payments and customers.';
    return [{ path: `/metrics/${index}`, message }];
  });
}

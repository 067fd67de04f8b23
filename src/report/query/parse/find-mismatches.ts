import type { Fault } from '#contract/fault.ts';
import { countBucketsAtMost } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import { isCredited } from '../../attribution/by-models.ts';
import { comparisonsOf, filteredDimensions } from '../filter.ts';
import type { Query } from '../query.ts';

/** A time series has at most so many points: a year of hours. */
const BUCKETS_MAX = 10_000;
/** What credited metrics by models may come to: five by all eight, or two of them compared. */
const COLUMNS_MAX = 40;
/** So many comparisons of filters cost as much again as the query without. */
const COMPARISONS_OF_DOUBLE = 40;

/** What was parsed of a query, with its metrics as they are named; what was not is left out. */
type Parsed = Pick<Query, 'metrics' | 'dimensions' | 'filter' | 'comparedWith'> & {
  readonly models: Query['attribution']['models'];
  readonly period: Period | undefined;
};

/** Parts of a query that are known, but have no meaning together, or are too much at once. */
export function findMismatches(query: Parsed): Fault[] {
  return [...seriesFaults(query), ...paymentDimensionFaults(query), ...modelsFaults(query)];
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
  const named = [...dimensions, ...filteredDimensions(filter)];
  const ofPayments = named.find(({ of }) => of === 'payment');
  if (ofPayments === undefined) return [];
  return metrics.flatMap((metric, index) => {
    if (metric.parts.every((part) => part.of === 'payments')) return [];
    const message =
      `${metric.name} is not counted from payments alone and has no ${ofPayments.name}: ` +
      'ask for it without, or for metrics such as revenue, payments and customers.';
    return [{ path: `/metrics/${index}`, message }];
  });
}

/**
 * More by several models than is answered at once.
 *
 * Why a bound of its own: the engine takes seconds to read a statement of so many columns, and its limit
 * of time does not hold while it does.
 */
function modelsFaults({ metrics, models, filter, comparedWith }: Parsed): Fault[] {
  const columns = metrics.filter(isCredited).length * (models?.length ?? 0);
  const periods = comparedWith === undefined ? 1 : 2;
  const cost = columns * periods * (1 + comparisonsOf(filter).length / COMPARISONS_OF_DOUBLE);
  if (cost <= COLUMNS_MAX) return [];
  const message =
    'Credited metrics times models, doubled where periods are compared and doubled by ' +
    `${COMPARISONS_OF_DOUBLE} comparisons in filters, come to ${Math.ceil(cost)} here and may come to ` +
    `${COLUMNS_MAX}: ask for fewer models, metrics or filters at once.`;
  return [{ path: '/attribution/models', message }];
}

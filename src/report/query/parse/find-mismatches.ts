import type { Fault } from '#contract/fault.ts';
import { countBucketsAtMost } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import type { Dimension, EachDimension } from '../../dimension.ts';
import { needsAttribution } from '../../metric.ts';
import { comparisonsOf, type Filter, filteredDimensions, namesBehaviour } from '../filter.ts';
import type { Query } from '../query.ts';

/** Maximum number of points in a time series: a year of hours. */
const BUCKETS_MAX = 10_000;
/** Limit for credited metrics by model: five by all eight, or two of them compared. */
const COLUMNS_MAX = 40;
/** This many filter comparisons cost as much as the query without them. */
const COMPARISONS_OF_DOUBLE = 40;

/** The parsed parts of a query, with its metrics by name; invalid parts are left out. */
type Parsed = Pick<Query, 'metrics' | 'dimensions' | 'filter' | 'comparedWith' | 'hasTotals'> & {
  readonly models: Query['attribution']['models'];
  readonly period: Period | undefined;
};

/** Finds valid parts of a query that are meaningless together, or too much at once. */
export function findMismatches(parsed: Parsed): Fault[] {
  return [
    ...[...seriesFaults(parsed), ...paymentDimensionFaults(parsed), ...costFaults(parsed)],
    ...[...modelsFaults(parsed), ...totalsFaults(parsed)],
  ];
}

function seriesFaults({ period, comparedWith, dimensions }: Parsed): Fault[] {
  const periods = [period, comparedWith?.whole].filter((each) => each !== undefined);
  return dimensions.flatMap((dimension, index) => {
    if (dimension.of !== 'time') return [];
    const { unit } = dimension;
    if (periods.every((each) => countBucketsAtMost(each, unit) <= BUCKETS_MAX)) return [];
    const message = `${dimension.name} has more than ${BUCKETS_MAX} points here: take a longer unit or a shorter date_range.`;
    return [{ path: `/dimensions/${index}`, message }];
  });
}

/** A visit has several pages, and a payment counts with each. */
function totalsFaults({ hasTotals, dimensions }: Parsed): Fault[] {
  if (!hasTotals || dimensions.every(({ of }) => of !== 'event')) return [];
  const message = 'Rows of event dimensions overlap: query the totals without them.';
  return [{ path: '/include/totals', message }];
}

/** Metrics that are not about payments have no product or provider. */
function paymentDimensionFaults({ metrics, dimensions, filter }: Parsed): Fault[] {
  const named = [...dimensions, ...filteredDimensions(filter)];
  const ofPayments = named.find(({ of }) => of === 'payment');
  if (ofPayments === undefined) return [];
  return metrics.flatMap((metric, index) => {
    if (metric.parts.every((part) => part.of === 'payments')) return [];
    const message = `${metric.name} cannot be broken down or filtered by ${ofPayments.name}, as it is not counted from payments alone. Leave ${ofPayments.name} out, or query metrics such as revenue, payments and customers.`;
    return [{ path: `/metrics/${index}`, message }];
  });
}

/** A cost has a day and a source, and no visit. */
function costFaults({ metrics, dimensions, filter }: Parsed): Fault[] {
  const fault = findCostFault(dimensions, filter);
  if (fault === undefined) return [];
  return metrics.flatMap(({ name, parts }, index) =>
    parts.every(({ of }) => of !== 'costs')
      ? []
      : [{ path: `/metrics/${index}`, message: `${name} cannot be ${fault}` }],
  );
}

function findCostFault(dimensions: readonly Dimension[], filter: Filter): string | undefined {
  const each = dimensions.flatMap((one): readonly Exclude<Dimension, EachDimension>[] =>
    one.of === 'each' ? one.each : [one],
  );
  const clock = each.find((one) => one.of === 'time' && /^(?:minute|hour)$/.test(one.unit));
  if (clock !== undefined) {
    return `counted by ${clock.name}: costs are known by day. Use time:day, time:week or time:month.`;
  }
  const named = [...each, ...filteredDimensions(filter)];
  const unknown = named.find(
    (one) => one.of !== 'time' && one.of !== 'payment' && !('ofCosts' in one),
  );
  if (unknown !== undefined) {
    return `broken down or filtered by ${unknown.name}: a cost has a source, medium, campaign and channel, and no visit. Leave one of them out.`;
  }
  if (!namesBehaviour(filter)) return undefined;
  return 'filtered by what visitors have done: a cost has no visitor. Leave one of them out.';
}

/**
 * Refuses too many metrics by several models.
 *
 * Why it has its own limit: the engine takes seconds to parse a statement with so many columns, and its time limit
 * does not apply to parsing.
 */
function modelsFaults({ metrics, models, filter, comparedWith }: Parsed): Fault[] {
  const columns = metrics.filter(needsAttribution).length * (models?.length ?? 0);
  const periods = comparedWith === undefined ? 1 : 2;
  const cost = columns * periods * (1 + comparisonsOf(filter).length / COMPARISONS_OF_DOUBLE);
  if (cost <= COLUMNS_MAX) return [];
  const message = `Credited metrics times models, doubled where periods are compared and doubled by ${COMPARISONS_OF_DOUBLE} comparisons in filters, come to ${Math.ceil(cost)} here and may come to ${COLUMNS_MAX}: ask for fewer models, metrics or filters at once.`;
  return [{ path: '/attribution/models', message }];
}

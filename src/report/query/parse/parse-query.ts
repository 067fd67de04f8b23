import type { Fault } from '#contract/fault.ts';
import { toOwnName } from '#contract/plausible-names.ts';
import { QUERY_ROWS_MAX, type SentQuery } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { bucketUnitFor } from '#domain/time/buckets.ts';
import {
  type Compared,
  compareWith,
  previousPeriod,
  yearBefore,
} from '#domain/time/compared-periods.ts';
import { parsePeriod } from '#domain/time/parse-period.ts';
import type { Period } from '#domain/time/period.ts';
import { findDimension, findMetric, METRICS } from '../../catalog.ts';
import type { Dimension, EachDimension, ListedDimension } from '../../dimension.ts';
import { byModels, type Metric } from '../../metric.ts';
import type { Refusal, ReportSite } from '../../ports.ts';
import { parseCursor } from '../cursor.ts';
import type { Order, Query } from '../query.ts';
import { findMismatches } from './find-mismatches.ts';
import { type Clock, parseAskedPeriod } from './parse-fields.ts';
import { parseAskedFilter, unknownDimension } from './parse-filter.ts';

/**
 * Resolves a query for a site.
 *
 * - Units: `now` and `earliestAt` (when the site's records begin, for `all`) in milliseconds, UTC.
 * - Refuses unknown names, listing the known ones, and meaningless combinations, with every fault found.
 */
export function parseQuery(
  sent: SentQuery,
  site: ReportSite,
  clock: Clock,
): Result<Query, Refusal> {
  const faults: Fault[] = [];
  const named = parseMetrics(sent, faults);
  const { model, models, lookback_days: lookbackDays = null } = sent.attribution ?? {};
  if (model !== undefined && models !== undefined) {
    faults.push({ path: '/attribution/models', message: 'Give either model or models, not both.' });
  }
  const metrics = byModels(named, models);
  const cursor = parseCursor(sent, faults);
  const period = parseAskedPeriod(sent, site, clock, faults);
  const comparedWith = period && parseComparedWith(sent, period, clock, faults);
  const dimensions = parseDimensions(sent, period, named, faults);
  const filter = parseAskedFilter(sent, faults);
  const order = parseOrder(sent, metrics, dimensions, faults);
  const hasTotals = sent.include?.totals === true;
  const parsed = { metrics: named, models, dimensions, filter, period, comparedWith, hasTotals };
  faults.push(...findMismatches(parsed));
  if (period === undefined || faults.length > 0) {
    return refuse({ type: 'invalid_request', details: faults });
  }
  return ok({
    site,
    period,
    metrics,
    dimensions,
    filter,
    attribution: { model: models?.[0] ?? model ?? ATTRIBUTION_MODELS[0], models, lookbackDays },
    order: [...order, ...tieBreakers(order, metrics, dimensions)],
    page: {
      limit: sent.pagination?.limit ?? QUERY_ROWS_MAX,
      offset: sent.pagination?.offset ?? 0,
      after: cursor?.after,
    },
    hasTotals,
    comparedWith,
  });
}

function parseMetrics(sent: SentQuery, faults: Fault[]): Metric[] {
  return sent.metrics.flatMap((name, index) => {
    const metric = findMetric(name);
    if (metric !== undefined) return [metric];
    const known = [...METRICS.keys()].toSorted().join(', ');
    const message = `${JSON.stringify(name)} is not a metric. Known: ${known}.`;
    faults.push({ path: `/metrics/${index}`, message });
    return [];
  });
}

function parseDimensions(
  sent: SentQuery,
  period: Period | undefined,
  metrics: readonly Metric[],
  faults: Fault[],
): Dimension[] {
  const found = (sent.dimensions ?? []).flatMap((name, index) => {
    const dimension = findDimension(name);
    if (dimension !== undefined) return [withUnit(dimension, period, metrics)];
    faults.push({ path: `/dimensions/${index}`, message: unknownDimension(name) });
    return [];
  });
  return sent.separately === true ? separate(found, faults) : found;
}

/** Dimensions on their own. Not those of bots: a query that names one counts bots in all its rows. */
function separate(dimensions: readonly Dimension[], faults: Fault[]): EachDimension[] {
  const each = dimensions.flatMap((dimension) =>
    dimension.of === 'visit' && dimension.tellsBots !== true ? [dimension] : [],
  );
  if (each.length < Math.max(2, dimensions.length)) {
    const message = 'needs two or more dimensions, all of visits and none of bots.';
    faults.push({ path: '/separately', message });
  }
  return (['dimension', 'value'] as const).map((name) => ({ of: 'each', name, each }));
}

/** `time` uses the unit that suits the period, and costs, which are known by day. */
function withUnit(
  dimension: ListedDimension,
  period: Period | undefined,
  metrics: readonly Metric[],
): Dimension {
  if (dimension.of !== 'time') return dimension;
  const { unit } = dimension;
  if (unit !== 'any') return { ...dimension, unit };
  const suited = period === undefined ? 'day' : bucketUnitFor(period);
  const isOfCosts = metrics.some(({ parts }) => parts.some(({ of }) => of === 'costs'));
  const isClock = suited === 'minute' || suited === 'hour';
  return { ...dimension, unit: isOfCosts && isClock ? 'day' : suited };
}

function parseComparedWith(
  sent: SentQuery,
  period: Period,
  clock: { readonly now: number },
  faults: Fault[],
): Compared | undefined {
  const compare = sent.include?.compare;
  if (compare === undefined) return undefined;
  const to = (other: Period) => compareWith(other, period, clock.now);
  if (compare === 'previous_period') return to(previousPeriod(period));
  if (typeof compare === 'string') return to(yearBefore(period, compare));
  const other = parsePeriod(compare, { now: clock.now, timeZone: period.timeZone });
  if (other.ok) return to(other.value);
  faults.push({ path: '/include/compare', message: other.error });
  return undefined;
}

function parseOrder(
  sent: SentQuery,
  metrics: readonly Metric[],
  dimensions: readonly Dimension[],
  faults: Fault[],
): Order[] {
  const asked = [...metrics, ...dimensions];
  return (sent.order_by ?? []).flatMap(([name, direction], index) => {
    const by =
      asked.find((entry) => toOwnName(entry.name) === toOwnName(name)) ??
      metrics.find((metric) => metric.name.startsWith(`${name}:`));
    if (by !== undefined) return [{ by, direction }];
    const known = asked.map((entry) => entry.name).join(', ');
    const message = `${JSON.stringify(name)} is not in this query. Sort by one of: ${known}.`;
    faults.push({ path: `/order_by/${index}/0`, message });
    return [];
  });
}

/** Time first, else the largest first metric; then every dimension, so that pages do not overlap. */
function tieBreakers(
  given: readonly Order[],
  metrics: readonly Metric[],
  dimensions: readonly Dimension[],
): Order[] {
  const time = dimensions.filter((dimension) => dimension.of === 'time');
  const first = given.length === 0 && time.length === 0 ? metrics.slice(0, 1) : [];
  const used = new Set(given.map((order) => order.by));
  const ties = [...time, ...dimensions.filter((dimension) => dimension.of !== 'time')];
  return [
    ...first.map((by): Order => ({ by, direction: 'desc' })),
    ...ties.filter((by) => !used.has(by)).map((by): Order => ({ by, direction: 'asc' })),
  ];
}

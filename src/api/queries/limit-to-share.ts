import type { Fault } from '#contract/fault.ts';
import type { SentQuery } from '#contract/query.ts';
import {
  SHARE_PANELS,
  SHARED_COLUMNS,
  SHARED_FIGURES,
  type SharePanel,
  sharedMetrics,
} from '#contract/sites/share.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import type { SharedPart } from '#server/requests/authenticate.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Operators on single values. `has_done` is excluded, because it would bypass the link's filters. */
const OPERATORS: ReadonlySet<unknown> = new Set(
  ['is', 'contains', 'matches_wildcard'].flatMap((name) => [name, `${name}_not`]),
);

/**
 * Adds a shared link's filters to a query. Refuses a query that none of the link's panels makes.
 *
 * - Why one dimension at a time, and whole days in the site's time zone: several dimensions, or short
 *   periods, would single out visitors.
 */
export function limitToShare(query: SentQuery, share: SharedPart): SentQuery {
  const details = findFaults(query, share);
  if (details.length > 0) {
    throw new RefusedRequest('forbidden', 'This shared link does not show this.', { details });
  }
  return {
    ...query,
    filters: [...share.filters.map((each) => [...each]), ...(query.filters ?? [])],
  };
}

function findFaults(query: SentQuery, share: SharedPart): Fault[] {
  const { metrics, dimensions = [], filters = [], order_by: order = [] } = query;
  const { compare, totals = false } = query.include ?? {};
  // Totals are figures, whichever panel has the rows.
  const panels = totals ? share.panels.filter((each) => each === 'figures') : share.panels;
  const shown = metricsOf(dimensions, { ...share, panels });
  const named: ReadonlySet<string> = new Set([...metrics, ...dimensions]);
  const filterable = filterableOf(share);
  return [
    ...(shown === undefined ? [notShown('/dimensions')] : []),
    ...metrics.flatMap((name, at) =>
      shown?.includes(name) === false ? [notShown(`/metrics/${at}`)] : [],
    ),
    ...order.flatMap(([name], at) => (named.has(name) ? [] : [notShown(`/order_by/${at}`)])),
    ...filters.flatMap((each, at) =>
      isShownFilter(each, filterable) ? [] : [notShown(`/filters/${at}`)],
    ),
    ...(isOfDays(query.date_range) ? [] : [ofDays('/date_range')]),
    ...(query.timezone === undefined ? [] : [{ path: '/timezone', message: 'is the site’s own' }]),
    ...(isOfDays(compare) ? [] : [ofDays('/include/compare')]),
  ];
}

/** The metrics that the link shows under these dimensions; `undefined` if none. */
function metricsOf(
  dimensions: readonly string[],
  share: SharedPart,
): readonly string[] | undefined {
  const [first, ...others] = dimensions;
  const { panels, hasRevenue } = share;
  const isFigures = panels.includes('figures') && (first === undefined || isOf('figures', first));
  if (others.length > 0) return undefined;
  const isRows = panels.some((each) => each !== 'figures' && first && isOf(each, first));
  if (!isFigures && !isRows) return undefined;
  return [
    ...(isFigures ? sharedMetrics(SHARED_FIGURES, hasRevenue) : []),
    ...(isRows ? sharedMetrics(SHARED_COLUMNS, hasRevenue) : []),
  ];
}

function isOf(panel: string, dimension: string): boolean {
  const dimensions: readonly string[] = SHARE_PANELS[panel as SharePanel] ?? [];
  return dimensions.includes(dimension);
}

/** The dimensions that can be filtered by: those of the link's panels. Countries also by name. */
function filterableOf({ panels }: SharedPart): ReadonlySet<unknown> {
  const dimensions = panels.flatMap((panel) => [...(SHARE_PANELS[panel as SharePanel] ?? [])]);
  const names = panels.includes('countries') ? ['visit:country_name'] : [];
  return new Set([...dimensions.filter((each) => !each.startsWith('time')), ...names]);
}

function isShownFilter(filter: unknown, filterable: ReadonlySet<unknown>): boolean {
  if (!Array.isArray(filter)) return false;
  const [operator, operand] = filter as readonly unknown[];
  if (operator === 'not') return isShownFilter(operand, filterable);
  if (operator === 'and' || operator === 'or') {
    return Array.isArray(operand) && operand.every((each) => isShownFilter(each, filterable));
  }
  return OPERATORS.has(operator) && filterable.has(operand);
}

/** Named periods consist of days, too, but for the last 24 hours. */
function isOfDays(range: SentQuery['date_range'] | undefined): boolean {
  return Array.isArray(range) ? range.every((each) => DAY.test(each)) : range !== '24h';
}

function notShown(path: string): Fault {
  return { path, message: 'is not shown by this link' };
}

function ofDays(path: string): Fault {
  return { path, message: 'must consist of days, such as 2026-11-01' };
}
